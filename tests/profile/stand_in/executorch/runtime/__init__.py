import os
import shutil
from pathlib import Path


class _Method:
    executions = 0

    def execute(self, inputs):
        if os.environ.get("STAND_IN_INTERRUPTS"):
            raise KeyboardInterrupt
        self.executions += 1


class _Program:
    def load_method(self, name):
        self._method = _Method()
        return self._method

    def write_etdump_result_to_file(self, etdump_path, debug_buffer_path):
        print(f"executed {self._method.executions} times")
        shutil.copy(Path(os.environ["STAND_IN_FILES"]) / "run10.etdp", etdump_path)


class Runtime:
    class backend_registry:
        registered_backend_names = ["XnnpackBackend"]

    @staticmethod
    def get():
        return Runtime()

    def load_program(self, data, *, enable_etdump=False, debug_buffer_size=0):
        assert enable_etdump and Path(data).exists()
        return _Program()
