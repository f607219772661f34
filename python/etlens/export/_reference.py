# SPDX-License-Identifier: Apache-2.0
"""The values of every edge node for given inputs, with the names of docs/values.md."""

from typing import Any, Dict, Tuple


def _inputs_of(program: Any, inputs: Any) -> Tuple[Tuple[Any, ...], Dict[str, Any]]:
    if inputs is not True:
        return tuple(inputs), {}
    args, kwargs = program.example_inputs or ((), {})
    return tuple(args), dict(kwargs)


def _run(program: Any, inputs: Any) -> Any:
    from executorch.devtools.inspector._intermediate_output_capturer import (
        IntermediateOutputCapturer,
    )

    args, kwargs = _inputs_of(program, inputs)
    import torch

    with torch.no_grad():
        capturer = IntermediateOutputCapturer(program.module())
        try:
            return capturer.run_and_capture(*args, **kwargs)
        except TypeError:
            if kwargs:
                raise
            return capturer.run_and_capture(args)  # releases that take the inputs as one tuple


def reference_arrays(program: Any, inputs: Any) -> Dict[str, Any]:
    """Runs an edge program with `inputs` (True: those of its export) and returns its values as arrays of NumPy."""
    import torch

    arrays = {}
    for handles, value in _run(program, inputs).items():
        name = "h" + "_".join(map(str, handles))
        values = {name: value} if torch.is_tensor(value) else {}
        if isinstance(value, (list, tuple)):
            values = {f"{name}__{j}": v for j, v in enumerate(value) if torch.is_tensor(v)}
        for key, tensor in values.items():
            if tensor.dtype == torch.bfloat16:
                tensor = tensor.float()
            arrays[key] = tensor.detach().cpu().numpy()
    return arrays
