import argparse
import importlib


def get_args(argv=None):
    parser = argparse.ArgumentParser(description='DecompPatch')

    # basic config
    parser.add_argument('--task_name', type=str, default='long_term_forecast',
                        help='task name, options:[long_term_forecast, imputation, anomaly_detection]')
    parser.add_argument('--model', type=str, default='model')
    # forecasting task
    parser.add_argument('--seq_len', type=int, default=96, help='input sequence length')
    parser.add_argument('--pred_len', type=int, default=24, help='prediction sequence length')
    # model define
    parser.add_argument('--enc_in', type=int, default=3, help='encoder input size')
    parser.add_argument('--d_model', type=int, default=32)
    parser.add_argument('--n_heads', type=int, default=4)
    parser.add_argument('--e_layers', type=int, default=1)
    parser.add_argument('--d_ff', type=int, default=64)
    parser.add_argument('--moving_avg', type=int, default=25, help='window size of moving average')
    parser.add_argument('--patch_len', type=int, default=16)
    parser.add_argument('--stride', type=int, default=8)
    parser.add_argument('--individual', action='store_true', default=False)
    parser.add_argument('--affine', type=int, default=1, help='RevIN-affine; True 1 False 0')
    parser.add_argument('--down_sampling_layers', type=int, default=1)
    parser.add_argument('--down_sampling_window', type=int, default=2)
    parser.add_argument('--dropout', type=float, default=0.1)
    parser.add_argument('--activation', type=str, default='gelu')
    return parser.parse_args([] if argv is None else argv)


class Exp_Long_Term_Forecast(object):
    def __init__(self, args):
        self.args = args
        self.model = self._build_model()

    def _build_model(self):
        return importlib.import_module('tseries.' + self.args.model).Model(self.args).float()

    def _predict(self, batch_x, batch_x_mark=None, dec_inp=None, batch_y_mark=None):
        outputs = self.model(batch_x, batch_x_mark, dec_inp, batch_y_mark)
        return outputs[:, -self.args.pred_len:, :]
