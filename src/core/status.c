/* status.c - names of status codes, and the version. */
#include <penumbra.h>

const char *pen_version(void)
{
    return PEN_VERSION;
}

const char *pen_status_text(pen_status status)
{
    switch (status) {
    case PEN_OK:
        return "ok";
    case PEN_BAD_ARGUMENT:
        return "argument out of range";
    case PEN_UNKNOWN_NAME:
        return "unknown name";
    case PEN_BAD_DATA:
        return "unusable data";
    case PEN_NOT_FINITE:
        return "value not finite";
    case PEN_NO_LABELS:
        return "no labelled rows";
    case PEN_ONE_CLASS:
        return "only one class";
    case PEN_NO_PAIRS:
        return "no pairs";
    case PEN_BAD_PAIR:
        return "invalid pair";
    case PEN_CONTRADICTION:
        return "contradictory pairs";
    case PEN_NO_MEMORY:
        return "out of memory";
    case PEN_SINGULAR_SCATTER:
        return "singular scatter";
    case PEN_RANK_TOO_SMALL:
        return "more dimensions than available";
    case PEN_NOT_CONVERGED:
        return "not converged";
    case PEN_FILE_ERROR:
        return "file error";
    case PEN_BAD_FORMAT:
        return "bad file format";
    case PEN_NEWER_FORMAT:
        return "file from a newer version";
    case PEN_CANCELLED:
        return "cancelled";
    case PEN_INTERNAL:
        return "internal error";
    }
    return "unknown status";
}
