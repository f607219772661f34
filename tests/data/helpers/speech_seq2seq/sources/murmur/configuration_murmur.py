"""Murmur model configuration"""

from typing import Any, Optional


class PretrainedConfig:
    model_type: str = ""
    attribute_map: dict[str, str] = {}

    def __init__(self, **kwargs: Any):
        self.return_dict = kwargs.pop("return_dict", True)
        self._attn_implementation = kwargs.pop("attn_implementation", "eager")
        for key, value in kwargs.items():
            setattr(self, key, value)

    def __getattribute__(self, key):
        if key != "attribute_map" and key in super().__getattribute__("attribute_map"):
            key = super().__getattribute__("attribute_map")[key]
        return super().__getattribute__(key)


class MurmurConfig(PretrainedConfig):
    model_type = "murmur"
    attribute_map = {"hidden_size": "d_model", "num_attention_heads": "encoder_attention_heads"}

    def __init__(
        self,
        vocab_size=96,
        num_mel_bins=16,
        d_model=48,
        encoder_layers=1,
        encoder_attention_heads=4,
        encoder_ffn_dim=96,
        decoder_layers=1,
        decoder_attention_heads=4,
        decoder_ffn_dim=96,
        num_key_value_heads: Optional[int] = 2,
        activation_function="gelu_new",
        max_source_positions=32,
        max_target_positions=16,
        scale_embedding=True,
        dropout=0.0,
        init_std=0.02,
        pad_token_id=0,
        decoder_start_token_id=1,
        **kwargs,
    ):
        self.vocab_size = vocab_size
        self.num_mel_bins = num_mel_bins
        self.d_model = d_model
        self.encoder_layers = encoder_layers
        self.encoder_attention_heads = encoder_attention_heads
        self.encoder_ffn_dim = encoder_ffn_dim
        self.decoder_layers = decoder_layers
        self.decoder_attention_heads = decoder_attention_heads
        self.decoder_ffn_dim = decoder_ffn_dim
        self.num_key_value_heads = num_key_value_heads
        self.activation_function = activation_function
        self.max_source_positions = max_source_positions
        self.max_target_positions = max_target_positions
        self.scale_embedding = scale_embedding
        self.dropout = dropout
        self.init_std = init_std
        self.pad_token_id = pad_token_id
        self.decoder_start_token_id = decoder_start_token_id
        super().__init__(**kwargs)
