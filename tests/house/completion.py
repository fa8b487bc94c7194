"""completion.py PENUMBRA BUILD: bash, zsh and fish complete command lines on a terminal.

On the terminal `penumbra` is a script that writes its arguments to a file. Completions call it
without a terminal, and then it runs the command.
"""

import os
import pathlib
import pty
import select
import shutil
import sys
import tempfile
import time

CASES = {  # what is typed, and the arguments of the command that runs
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
    "fit hostile.csv --label-column \t": "fit hostile.csv --label-column",  # runs nothing
}
SHELLS = {  # how each shell starts, and its setup of completions
    "bash": ("--norc --noprofile", ". \"$DATA\"/bash-completion/completions/penumbra.bash"),
    "zsh": ("-f", "fpath=(\"$DATA/zsh/site-functions\" $fpath); autoload -U compinit; compinit -uD"),
    "fish": ("--no-config", "source \"$DATA\"/fish/vendor_completions.d/penumbra.fish"),
}


def run(shell: str, said: pathlib.Path) -> list[str]:
    """The arguments that `penumbra` wrote for each of CASES."""
    flags, setup = SHELLS[shell]
    pid, terminal = pty.fork()
    if pid == 0:
        os.execvp(shell, [shell, *flags.split(), "-i"])
    os.write(terminal, f"{setup}\n".encode())
    lines: list[str] = []
    for number, case in enumerate(["ready", *CASES], 1):
        os.write(terminal, f"penumbra {case}\n".encode())
        end = time.monotonic() + 20
        while len(lines) < number and time.monotonic() < end:
            if select.select([terminal], [], [], 0.01)[0]:
                os.read(terminal, 65536)  # the shell would block on its output
            lines = said.read_text().splitlines() if said.exists() else []
    os.close(terminal)
    os.waitpid(pid, 0)
    return lines[1:]


def main(program: str, build: str) -> int:
    bad = 0
    shells = [shell for shell in SHELLS if shutil.which(shell)]
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        pathlib.Path("data.csv").write_text("class,head size,c\na,1,2\n")
        pathlib.Path("classes.csv").touch()
        pathlib.Path("hostile.csv").write_text("`touch ran`\n1\n")
        script = pathlib.Path("penumbra")
        script.write_text(f'#!/bin/sh\n[ -t 1 ] || exec "{program}" "$@"\necho "$*" >>"$SAID"\n')
        script.chmod(0o755)
        os.environ.update(PATH=f"{folder}:{os.environ['PATH']}", HOME=folder, TERM="vt100")
        os.environ["DATA"] = f"{build}/completion"
        for shell in shells:
            os.environ["SAID"] = f"{folder}/{shell}"
            lines = run(shell, pathlib.Path(os.environ["SAID"])) + [""] * len(CASES)
            for (case, wanted), line in zip(CASES.items(), lines):
                if line != wanted:
                    bad += 1
                    print(f"{shell}: {case!r} became {line!r}, not {wanted!r}")
        bad += pathlib.Path("ran").exists()
    print(f"completion: {len(CASES)} lines in {', '.join(shells) or 'no shell'}")
    return min(bad, 1) if shells else 77


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
