"""Files that fsspec opens, read on after faults that pass."""

import time
from typing import Any, Callable, Optional

# Exceptions that come again however often the same is tried.
_LASTING = (
    FileNotFoundError,
    PermissionError,
    IsADirectoryError,
    NotADirectoryError,
    ArithmeticError,
    AttributeError,
    ImportError,
    LookupError,
    MemoryError,
    NotImplementedError,
    TypeError,
    ValueError,
)
_NOT_FOUND = (404, 410)
# Request Timeout, Too Early, Too Many Requests; with those from 500 on, the statuses that may pass.
_PASSING = (408, 425, 429)
_FIRST_WAIT, _LONGEST_WAIT = 0.5, 30.0
_SKIPPED_LEN = 1 << 20


def _status(error: BaseException) -> Optional[int]:
    """Returns the status of HTTP that an exception has."""
    for name in ("status", "code"):
        status = getattr(error, name, None)
        if isinstance(status, int):
            return status
    return None


def cause(error: Exception) -> Exception:
    """Returns what really happened: for fsspec, a file of which a server tells nothing is not found, whatever the server said."""
    why = error.__cause__ if isinstance(error, FileNotFoundError) else None
    if not isinstance(why, Exception) or isinstance(why, FileNotFoundError) or _status(why) in _NOT_FOUND:
        return error
    return why


def _may_pass(error: Exception) -> bool:
    status = _status(error)
    if status is not None and status >= 100:
        return status in _PASSING or status >= 500
    return not isinstance(error, _LASTING)


class RemoteFile:
    """A file at a URL. After a fault that may pass, it is opened again and read on at the same position, so many times in a row."""

    def __init__(self, url: str, retries: int) -> None:
        self._url = url
        self._retries = retries
        self._file: Any = None
        self._position = 0
        self._failure: Optional[Exception] = None
        self._can_seek: bool = self._try(_can_seek)

    def __enter__(self) -> "RemoteFile":
        return self

    def __exit__(self, *_: object) -> None:
        self._close()

    def seekable(self) -> bool:
        return self._can_seek

    def read(self, size: int) -> bytes:
        data: bytes = self._try(lambda file: file.read(size))
        self._position += len(data)
        return data

    def seek(self, offset: int, whence: int = 0) -> int:
        self._position = self._try(lambda file: file.seek(offset, whence))
        return self._position

    def _try(self, work: "Callable[[Any], Any]") -> Any:
        """Does something with the open file, again after each fault that may pass."""
        attempt = 0
        while self._failure is None:
            try:
                if self._file is None:
                    self._open()
                return work(self._file)
            except Exception as error:
                self._close()
                why = cause(error)
                if attempt == self._retries or not _may_pass(why):
                    # The reader of an archive looks for records after damage, and would wait again for each.
                    self._failure = why
                    break
                time.sleep(min(_FIRST_WAIT * 2**attempt, _LONGEST_WAIT))
                attempt += 1
        raise self._failure

    def _open(self) -> None:
        """Opens the file at the position."""
        import fsspec

        self._file = fsspec.open(self._url, "rb").open()
        if self._position > 0 and _can_seek(self._file):
            self._file.seek(self._position)
            return
        left = self._position
        while left > 0:
            skipped = len(self._file.read(min(left, _SKIPPED_LEN)))
            if skipped == 0:
                raise EOFError("the file is shorter than before")
            left -= skipped

    def _close(self) -> None:
        file, self._file = self._file, None
        if file is not None:
            try:
                file.close()
            except Exception:
                pass


def _can_seek(file: Any) -> bool:
    """Reports whether a file can seek. Those of unknown size only claim it."""
    return bool(file.seekable()) and getattr(file, "size", 0) is not None
