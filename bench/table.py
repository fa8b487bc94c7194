"""Print JSON lines of benchmarks as readable tables, line by line as they arrive.

    ... | python3 bench/table.py

Searches and fits: seconds (s), processor seconds of all threads (CPU s), the limit in processor seconds, from a loop in registers with the named instruction, and the multiple of this limit (x limit);
the memory peak of the process and the result of its formula, in MB. Only the JSON line has times of parts. Peers: the processor seconds of the peer, their multiple of ours (x), and the fraction of
lists with the same rows. Products: billions of operations per processor second. Lines of other kinds are printed unchanged.
"""

import json
import sys

FITS = (("case", 20), ("rows x columns", 14), ("type", 4), ("set", 12), ("s", 7), ("CPU s", 7), ("limit", 7), ("x limit", 7), ("of", 18), ("MB", 5), ("formula", 7))
PEERS = (("case", 20), ("rows x columns", 14), ("type", 4), ("set", 12), ("s", 7), ("CPU s", 7), ("peer", 40), ("kernels", 9), ("CPU s", 7), ("x", 6), ("same", 7))
PRODUCTS = (("case", 20), ("shape", 18), ("type", 4), ("set", 12), ("Gop/s", 7), ("limit", 7), ("x limit", 7), ("of", 18), ("BLAS", 7), ("x", 6))
TEXT = ("case", "rows x columns", "shape", "type", "set", "of", "peer", "kernels")
SHORT = {"uint8": "u8", "float32": "f32", "float64": "f64"}


def number(value, digits):
    return "" if value is None else f"{value:.{digits}f}"


def small(value):
    """Format a number with three digits or more."""
    return "" if value is None else f"{value:.{3 if value < 10 else 2 if value < 100 else 1}f}"


def megabytes(line, name):
    return number(line[name] / 1e6, 0) if name in line else ""


def first_cells(line):
    return (line["case"], f"{line['rows']} x {line['columns']}", SHORT.get(line.get("dtype"), line.get("dtype", "")), line.get("isa", ""), small(line["seconds"]), small(line.get("cpu")))


def fit_cells(line):
    return (*first_cells(line), small(line.get("limit")), number(line.get("ratio"), 2), line.get("instruction", ""), megabytes(line, "peak"), megabytes(line, "formula"))


def peer_cells(line):
    return (*first_cells(line), line["peer"], line.get("kernels") or "", small(line["peer_cpu"]), number(line["times"], 1), number(line.get("same"), 4))


def product_cells(line):
    if line["case"] == "tiles":
        return ("tiles of codes", f"32 x 32 x {line['depth']}", "i8" if line["largest"] > 127 else "i7", line["isa"], number(line["gops"], 0), number(line["limit"], 0), number(1 / line["ratio"], 2),
                line["instruction"], "", "")
    return (line["case"].replace("_", " "), f"{line['m']} x {line['n']} x {line['k']}", line["type"], line["isa"], number(line["gigaflops"], 0), number(line["limit"], 0),
            number(line["limit"] / line["gigaflops"], 2), line["instruction"], number(line["blas"], 0), number(line["of_blas"], 1))


def show(columns, cells):
    return "  ".join(f"{cell:<{width}}" if name in TEXT else f"{cell:>{width}}" for (name, width), cell in zip(columns, cells)).rstrip()


def table_of(line):
    if "gops" in line or "gigaflops" in line:
        return PRODUCTS, product_cells
    if "peer" in line:
        return PEERS, peer_cells
    if "case" in line and "seconds" in line:
        return FITS, fit_cells
    return None, None


def main():
    shown = None
    for text in sys.stdin:
        try:
            line = json.loads(text)
        except ValueError:
            line = {}
        columns, cells_of = table_of(line)
        if columns is None:
            print(text.rstrip(), flush=True)
        else:
            if columns is not shown:
                print("\n" + show(columns, [name for name, _ in columns]))
            print(show(columns, cells_of(line)), flush=True)
        shown = columns


if __name__ == "__main__":
    main()
