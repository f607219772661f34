from .factory import add_model_config, create_model, get_model_config, list_models
