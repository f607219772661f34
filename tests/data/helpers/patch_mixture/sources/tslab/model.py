import argparse

from .models import PatchMixture

model_dict = {'PatchMixture': PatchMixture}


def get_args(argv=()):
    parser = argparse.ArgumentParser(description='Time Series Lab')
    parser.add_argument('--task_name', type=str, default='probabilistic_forecast')
    parser.add_argument('--model', type=str, default='PatchMixture')
    parser.add_argument('--seq_len', type=int, default=48, help='input sequence length')
    parser.add_argument('--pred_len', type=int, default=12, help='prediction sequence length')
    parser.add_argument('--enc_in', type=int, default=5)
    parser.add_argument('--n_static', type=int, default=3)
    parser.add_argument('--cardinalities', type=int, nargs='+', default=[7, 4])
    parser.add_argument('--patch_len', type=int, default=8)
    parser.add_argument('--stride', type=int, default=4)
    parser.add_argument('--moving_avg', type=int, nargs='+', default=[5, 13])
    parser.add_argument('--d_model', type=int, default=16)
    parser.add_argument('--n_heads', type=int, default=4)
    parser.add_argument('--e_layers', type=int, default=2)
    parser.add_argument('--d_ff', type=int, default=32)
    parser.add_argument('--p_hidden_dim', type=int, default=16)
    parser.add_argument('--n_components', type=int, default=3)
    parser.add_argument('--norm', type=str, default='BatchNorm')
    parser.add_argument('--dropout', type=float, default=0.1)
    parser.add_argument('--activation', type=str, default='gelu')
    parser.add_argument('--output_attention', action='store_true')
    return parser.parse_args(list(argv))


args = get_args()


class Model(model_dict[args.model].Model):
    def __init__(self, configs=args):
        super(Model, self).__init__(configs)


def example():
    return [(2, args.seq_len, args.enc_in), (2, args.n_static), ((2, len(args.cardinalities)), 'int64')]
