"""completion.py PENUMBRA BUILD: bash, zsh and fish complete command lines, on a terminal.

`penumbra` is a script there that notes its arguments where it writes to the terminal, and is the
command otherwise, as for a completion, which asks it.
"""

import os
import pathlib
import pty
import shutil
import sys
import tempfile
import threading
import time

CASES = {  # what is typed, and what the command gets
    "pred\t": "predict",
    "help comp\t": "help compare",
    "fit sodr\t": "fit sodrpac",
    "compare self,np\t": "compare self,npssdr",
    "convert da\t": "convert data.csv",
    "fit data.csv --label-col\tcl\t": "fit data.csv --label-column class",
    "fit self --aff\th\t": "fit self --affinity heat",
    "fit self --beta a\t": "fit self --beta auto",
    "convert data.csv --missing=m\t": "convert data.csv --missing=mean",
    "convert data.csv --drop class,he\t": "convert data.csv --drop class,head size",
    "predict m.pen data.csv -o cla\t": "predict m.pen data.csv -o classes.csv",
}
SHELLS = {  # how each is started, and what makes it find completions
    "bash": ("--norc --noprofile", ". /usr/share/bash-completion/bash_completion"),
    "zsh": ("-f", "fpath=($DATA/zsh/site-functions $fpath); autoload -U compinit; compinit -uD"),
    "fish": ("--no-config", "source $DATA/fish/vendor_completions.d/penumbra.fish"),
}


def lines_of(shell: str, work: pathlib.Path) -> list[str]:
    """What `penumbra` gets for CASES."""
    said = work / f"said-{shell}"
    flags, setup = SHELLS[shell]
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(work)
        os.environ["SAID"] = str(said)
        os.execvp(shell, [shell, *flags.split(), "-i"])

    def drain() -> None:  # a terminal that is not read blocks the shell
        try:
            while os.read(terminal, 65536):
                pass
        except OSError:  # its end
            pass

    threading.Thread(target=drain, daemon=True).start()
    lines: list[str] = []
    typed = [setup, "penumbra ready", *(f"penumbra {case}" for case in CASES)]
    os.write(terminal, f"{typed[0]}\n".encode())
    for done, line in enumerate(typed[1:], 1):
        os.write(terminal, f"{line}\n".encode())
        end = time.monotonic() + 20
        while len(lines) < done and time.monotonic() < end:
            time.sleep(0.01)
            lines = said.read_text().splitlines() if said.exists() else []
    os.write(terminal, b"exit\n")
    os.close(terminal)
    os.waitpid(pid, 0)
    return lines[1:]


def main(program: str, build: str) -> int:
    shells = [shell for shell in SHELLS if shutil.which(shell)]
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        (work / "data.csv").write_text("class,head size,c\na,1,2\n")
        (work / "classes.csv").touch()
        (work / "penumbra").write_text(
            f'#!/bin/sh\n[ -t 1 ] || exec {program} "$@"\necho "$*" >>"$SAID"\n'
        )
        (work / "penumbra").chmod(0o755)
        data = f"{build}/completion"
        os.environ.update(
            PATH=f"{work}:{os.environ['PATH']}", HOME=folder, DATA=data, TERM="vt100",
            XDG_DATA_DIRS=f"{data}:/usr/local/share:/usr/share",
        )  # fmt: skip
        bad = 0
        for shell in shells:
            lines = lines_of(shell, work)
            for case, line, wanted in zip(CASES, lines + [""] * len(CASES), CASES.values()):
                if line != wanted:
                    bad += 1
                    print(f"{shell}: {case!r} became {line!r}, not {wanted!r}")
    print(f"completion: {len(CASES)} lines in {', '.join(shells) or 'no shell'}")
    return 1 if bad else 0 if shells else 77


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
