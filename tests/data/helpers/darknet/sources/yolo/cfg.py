"""Network descriptions in darknet's own format, and the functions that read them."""

LIST_KEYS = ("layers", "mask", "from")
BOOKKEEPING = ("net", "network")

YOLO_MICRO = """
[net]
width=64
height=64
channels=3

# Backbone -----------------------------------------------------
[convolutional]
batch_normalize=1
filters=8
size=3
stride=2
pad=1
activation=mish

# 1
[convolutional]
batch_normalize=1
filters=16
size=3
stride=2
pad=1
activation=leaky

[route]
layers=-1
groups=2
group_id=1

[convolutional]
batch_normalize=1
filters=8
size=3
pad=1
activation=leaky

[convolutional]
batch_normalize=1
filters=8
size=3
pad=1
activation=leaky

# 5
[route]
layers=-1,-2

[convolutional]
batch_normalize=1
filters=16
size=1
pad=1
activation=mish

[route]
layers=-6,-1

[maxpool]
size=2
stride=2

# 9
[convolutional]
batch_normalize=1
filters=24
size=3
pad=1
activation=swish

[convolutional]
batch_normalize=1
filters=32
size=1
pad=1
activation=linear

[shortcut]
from=-3
weights_type=per_feature
activation=leaky

# squeeze and excite
[avgpool]

[convolutional]
filters=8
size=1
activation=relu

[convolutional]
filters=32
size=1
activation=logistic

# 15
[scale_channels]
from=-4

[convolutional]
batch_normalize=1
filters=32
size=3
stride=2
pad=1
activation=mish

### SPP ###
[maxpool]
stride=1
size=3

[route]
layers=-2

[maxpool]
stride=1
size=5

[route]
layers=-1,-3,-4
### End SPP ###

# 21
[convolutional]
batch_normalize=1
filters=32
size=1
pad=1
activation=leaky

# narrower than what it is added to
[convolutional]
batch_normalize=1
filters=24
size=3
pad=1
activation=leaky

[shortcut]
from=-2,-7
activation=linear

[convolutional]
size=1
pad=1
filters=27
activation=linear

# 25
[yolo]
mask = 3,4,5
anchors = 4,6,  7,10,  11,9,  18,22,  29,31,  48,52
classes=4
num=6
scale_x_y=1.05
ignore_thresh=.7

[route]
layers=-3

[convolutional]
batch_normalize=1
filters=16
size=1
pad=1
activation=leaky

[upsample]
stride=2

[route]
layers=-1, 15

# 30
[convolutional]
batch_normalize=1
filters=24
size=3
pad=1
activation=leaky

[convolutional]
size=1
pad=1
filters=27
activation=linear

[yolo]
mask = 0,1,2
anchors = 4,6,  7,10,  11,9,  18,22,  29,31,  48,52
classes=4
num=6
scale_x_y=1.1
new_coords=1
"""

CFGS = {"yolo-micro": YOLO_MICRO}


def _number(text):
    return int(text) if text.lstrip("-").isdigit() else float(text)


def _parse_option(key, text):
    if key in LIST_KEYS:
        return [int(item) for item in text.split(",")]
    if key == "anchors":
        flat = [_number(item.strip()) for item in text.split(",")]
        return list(zip(flat[0::2], flat[1::2]))
    try:
        return _number(text)
    except ValueError:
        return text


def parse_model_cfg(text):
    """Text of a .cfg -> list of dicts, one for each section; the first one is [net]."""
    sections = []
    for line in text.splitlines():
        line = line.split("#")[0].strip()
        if not line:
            continue
        if line.startswith("["):
            sections.append({"type": line[1:-1].strip()})
        else:
            key, _, rest = line.partition("=")
            sections[-1][key.strip()] = _parse_option(key.strip(), rest.strip())
    if sections[0]["type"] not in BOOKKEEPING:
        raise ValueError("a cfg starts with its [net] section")
    return sections
