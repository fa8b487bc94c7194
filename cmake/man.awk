# man.awk: makes the manual pages, in mdoc, from the help of the command and the comments of the
# headers. It writes into man1, man3 and man7 of the folder `out`, which must exist.
#
#   awk -v program=PENUMBRA -v out=FOLDER -v date="Month day, year" -f man.awk HEADER...

# ---- writing mdoc ----

function put(line) { print line > page }

# Escape the characters that troff would interpret.
function plain(text) {
    gsub(/\\/, "\\e", text)
    gsub(/\047/, "\\(aq", text)
    gsub(/\^/, "\\(ha", text)
    gsub(/~/, "\\(ti", text)
    gsub(/--/, "\\-\\-", text)
    return text
}

function put_text(line) { put((line ~ /^[.]/ ? "\\&" : "") plain(line)) }

# Write a paragraph in lines of less than 80 columns. Each sentence begins a line.
function prose(text,    words, count, i, line) {
    count = split(text, words, " ")
    for (i = 1; i <= count; i++) {
        if (line != "" && length(line) + length(words[i]) > 72) {
            put_text(line)
            line = ""
        }
        line = line (line == "" ? "" : " ") words[i]
        if (words[i] ~ /[A-Za-z0-9)][.?]$/) {
            put_text(line)
            line = ""
        }
    }
    if (line != "")
        put_text(line)
}

function begin(name, section, what) {
    page = out "/man" section "/" name "." section
    put(".Dd " date)
    put(".Dt " toupper(name) " " section)
    put(".Os")
    put(".Sh NAME")
    put(".Nm " name)
    put(".Nd " plain(what))
}

function literal(lines, count,    i) {
    put(".Bd -literal -offset indent")
    for (i = 1; i <= count; i++)
        put(plain(lines[i]))
    put(".Ed")
}

# End a page. others: "penumbra-fit 1, penumbra-methods 7"
function finish(others,    list, count, i) {
    put(".Sh SEE ALSO")
    count = split(others, list, ", ")
    for (i = 1; i <= count; i++)
        put(".Xr " list[i] (i < count ? " ," : ""))
    close(page)
}

# ---- reading help ----

# Help breaks a long list of choices after a "|": join it without a blank.
function join(text, more) { return text (text == "" || text ~ /[|]$/ ? "" : " ") more }

function add(what, its_head, its_text) {
    kind[++entries] = what
    head[entries] = its_head
    text[entries] = its_text
    open = 1
}

# Read the help that a command line prints: usage, about, examples, and entries, which are titles of
# groups, flags, commands and facts such as "cost: d^3".
function read_help(words,    command, line, at, title) {
    command = "\"" program "\" " words
    usage = about = title = ""
    examples = entries = open = 0
    while ((command | getline line) > 0) {
        if (line ~ /^Usage: /) {
            usage = substr(line, 8)
            sub(/  .*/, "", usage)
            while ((command | getline line) > 0 && line != "")
                about = join(about, line)
        } else if (line ~ /^  penumbra /) {
            example[++examples] = substr(line, 3)
        } else if (line ~ /^  (-[a-z], )?--[a-z]/ || line ~ /^  [a-z][a-z-]*  +[a-z]/) {
            at = match(substr(line, 3), /  +[^ ]/)
            add(line ~ /^  -/ ? "flag" : "command", at ? substr(line, 3, at - 1) : substr(line, 3),
                at ? substr(line, at + 1 + RLENGTH) : "")
        } else if (line ~ /^[A-Za-z][a-z ]*: /) {
            at = index(line, ":")
            add("fact", substr(line, 1, at - 1), substr(line, at + 1))
        } else if (usage == "" && line ~ /^[a-z-]+ - /) { # of a method
            about = substr(line, index(line, " - ") + 3)
        } else if (open && line ~ /^          /) {
            sub(/^ +/, "", line)
            text[entries] = join(text[entries], line)
        } else {
            open = 0
            title = line ~ /^[^ ]/ ? join(title, line) : ""
            if (title ~ /:$/) {
                add("title", substr(title, 1, length(title) - 1), "")
                title = ""
            }
        }
    }
    close(command)
    if (!entries) {
        print "man.awk: this prints no help: " command > "/dev/stderr"
        failed = 1
        exit 1
    }
}

# The ".It" line of a flag such as "-o, --output FILE".
function item(flag,    value) {
    if (match(flag, / [^- ][^ ]*$/)) {
        value = " Ar" substr(flag, RSTART) (flag ~ /[.,]$/ ? "\\&" : "")
        flag = substr(flag, 1, RSTART - 1)
    }
    sub(/, /, " , ", flag)
    sub(/--/, "Fl -", flag)
    sub(/^-/, "Fl ", flag)
    return ".It " flag value
}

# Write the entries that are flags, under their titles unless `plain_list` is set. Leave out a flag
# for which `known` has the same text.
function put_flags(known, plain_list,    i, title, listing) {
    for (i = 1; i <= entries; i++) {
        if (kind[i] == "title" && !plain_list) {
            title = head[i]
        } else if (kind[i] == "flag" && known[head[i]] != text[i]) {
            if (title != "" || !listing) {
                if (listing)
                    put(".El")
                if (title != "")
                    put(".Ss " plain(title))
                put(".Bl -tag -width Ds")
            }
            title = ""
            listing = 1
            put(item(head[i]))
            prose(text[i])
        }
    }
    if (listing)
        put(".El")
}

# Write the usage, such as "penumbra fit [METHOD] DATA... -o MODEL [flags]".
function put_synopsis(    words, count, i, word, flag) {
    put(".Sh SYNOPSIS")
    put(".Nm " name)
    count = split(substr(usage, length(name) + 2), words, " ")
    for (i = 1; i <= count; i++) {
        word = words[i]
        flag = ""
        if (word ~ /^-/) {
            flag = "Fl " substr(word, 2) " "
            word = words[++i]
        }
        sub(/[.][.][.]/, " ...", word)
        sub(/^ /, "", word)
        put(gsub(/[][]/, "", word) ? ".Op " flag "Ar " word : "." flag "Ar " word)
    }
}

# ---- the pages ----

function put_command(command, does) {
    name = "penumbra " command
    read_help(command " --help")
    begin("penumbra-" command, 1, does)
    put_synopsis()
    put(".Sh DESCRIPTION")
    prose(about)
    if (usage ~ /DATA/ && usage ~ /METHOD/)
        prose("Parameters of methods are also flags; penumbra-methods(7) lists them.")
    put_flags(nothing)
    put(".Sh EXAMPLES")
    literal(example, examples)
    finish("penumbra 1, penumbra-methods 7")
}

function put_penumbra(    i) {
    name = "penumbra"
    read_help("-h")
    begin("penumbra", 1, "dimensionality reduction that learns from a few labels or pairs")
    put_synopsis()
    put(".Sh DESCRIPTION")
    prose(about)
    put(".Pp")
    prose("The commands, each with a page of its own, are:")
    put(".Bl -tag -width Ds")
    for (i = 1; kind[i] == "command"; i++) {
        put(".It Xr penumbra-" head[i] " 1")
        prose(text[i])
    }
    put(".El")
    put(".Pp")
    prose("Each command prints its flags with --help. A flag may stand anywhere, as --name value" \
        " or as --name=value; - and _ in its name are interchangeable. After -- nothing is a" \
        " flag. The last value of a flag counts, unless it takes a list or its help says that it" \
        " may be repeated.")
    put(".Sh ENVIRONMENT")
    put(".Bl -tag -width Ds")
    put(".It Ev OMP_NUM_THREADS , PENUMBRA_THREADS")
    prose("The largest number of threads, unless --threads sets the number.")
    put(".It Ev PAGER")
    prose("The program that shows --help on a terminal; less by default.")
    put(".It Ev PENUMBRA_MEMORY")
    prose("A size, such as 2G: fit reads larger files in blocks. Half the memory by default.")
    put(".It Ev PENUMBRA_PYTHON")
    prose("The Python that runs explore; python3 by default.")
    put(".El")
    put(".Sh EXIT STATUS")
    prose(text[entries])
    put(".Sh EXAMPLES")
    literal(example, examples)
    finish("libpenumbra 3, penumbra-methods 7")
}

function is_own(title, method) { return title ~ (" " method "$") }

# A parameter that methods share is described once, with the text that most methods give it, and
# again under each method whose text differs.
function put_methods(    list, count, i, j, own, sample, usual, uses, most, key) {
    read_help("methods")
    for (i = 1; i <= entries; i++)
        if (head[i] != "method")
            list[++count] = head[i]
    for (i = 1; i <= count; i++) {
        read_help("methods " list[i])
        for (j = 1; j <= entries; j++) {
            if (kind[j] == "title")
                own = is_own(head[j], list[i])
            key = head[j] SUBSEP text[j]
            if (kind[j] != "flag" || own || ++uses[key] <= most[head[j]])
                continue
            most[head[j]] = uses[key]
            usual[head[j]] = text[j]
            if (list[i] != sample && head[j] ~ /pairs/)
                sample = list[i] # a method with every shared parameter
        }
    }
    begin("penumbra-methods", 7, "methods of penumbra, with their parameters")
    put(".Sh DESCRIPTION")
    prose("Each method learns a projection of rows to few dimensions. penumbra fit METHOD fits" \
        " it, and penumbra compare compares methods on held-out labels. Parameters are flags.")
    for (i = 1; i <= count; i++) {
        read_help("methods " list[i])
        put(".Ss " list[i])
        prose(about ".")
        put(".Bl -tag -width Ds")
        for (j = 1; j <= entries; j++)
            if (kind[j] == "fact") {
                put(".It " head[j])
                sub(/ \(n rows.*\)/, "", text[j])
                prose(text[j])
            }
        put(".El")
        put_flags(usual, 1)
    }
    read_help("methods " sample)
    for (i = 1; i <= entries; i++) {
        if (kind[i] == "title")
            own = is_own(head[i], sample)
        if (own)
            kind[i] = ""
        text[i] = usual[head[i]]
    }
    put(".Sh PARAMETERS OF SEVERAL METHODS")
    prose("A method for which one of these differs lists it above.")
    put_flags(nothing)
    finish("penumbra-compare 1, penumbra-fit 1, penumbra-methods 1")
}

BEGIN {
    put_penumbra()
    commands = entries # the last is the exit status
    for (i = 1; i <= commands; i++) {
        command[i] = head[i]
        does[i] = text[i]
    }
    for (i = 1; i < commands; i++)
        put_command(command[i], does[i])
    put_methods()

    begin("libpenumbra", 3, "semi-supervised dimensionality reduction")
    put(".Sh SYNOPSIS")
    put(".In penumbra.h")
    put(".Pp")
    prose("cc program.c $(pkg-config --cflags --libs penumbra)")
    put(".Sh DESCRIPTION")
    prose("The comments of the headers are the reference. The functions are:")
}

# ---- headers: each function, and the first sentence of the comment before it ----

function end_item() {
    if (named != "") {
        put(".It" named)
        sub(/[.] .*/, ".", comment)
        if (length(comment) > 150)
            sub(/[:;] .*/, ".", comment)
        prose(comment)
    }
    named = comment = ""
}

FNR == 1 {
    if (NR > 1) { end_item(); put(".El") }
    header = FILENAME
    sub(/.*include\//, "", header)
    put(".Ss " header)
    put(".Bl -tag -width Ds")
}
/^\/\* / {
    end_item()
    in_comment = 1
}
in_comment {
    line = $0
    in_comment = line !~ /\*\//
    if (line ~ /^\/\* ---/)
        next
    gsub(/^ *\/?\* ?|\*\/.*/, "", line)
    comment = comment line " "
    next
}
/^[a-z].*pen_[a-z0-9_]+\(/ && !/^typedef/ {
    match($0, /pen_[a-z0-9_]+\(/)
    named = named (named == "" ? " Fn " : " , Fn ") substr($0, RSTART, RLENGTH - 1)
}
END {
    if (failed)
        exit 1
    end_item()
    put(".El")
    finish("penumbra 1")
}
