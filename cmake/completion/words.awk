# words.awk: lists the words that may stand at one place of a command line, from the help of the
# command. A line has a word, a tab and its meaning. The line "/" means that a file name may stand
# there.
#
#   awk -f words.awk PLACE penumbra WORD...     PLACE: number of the word being typed, penumbra is 0
#
# Each shell script contains this program between single quotes. So the program must not contain a
# single quote, or two backslashes in a row, which fish would read as one.

function run(words) {
    return (program ~ /[^A-Za-z0-9_.\/-]/ ? "penumbra" : program) " " words " 2>/dev/null"
}

function offer(word, meaning) { print before word "\t" meaning }

# Offer the commands that -h lists, or the methods.
function offer_lines(words,    command, line, name) {
    command = run(words)
    while ((command | getline line) > 0 && !(words == "methods" && line == ""))
        if (match(line, /^  [a-z][a-z-]*  +[a-z]/) && line !~ /^  method /) {
            name = substr(line, 3, index(substr(line, 3), " ") - 1)
            offer(name, substr(line, words == "methods" ? 31 : RLENGTH))
        }
    close(command)
}

# Read usage, names[], and for each flag value[] and help[]; same["-f"] is its long name.
function read_help(words,    command, line, name, letter) {
    command = run(words)
    while ((command | getline line) > 0) {
        if (line ~ /^Usage: /)
            usage = line
        if (line ~ /^  (-[a-z], )?--[a-z]/) {
            letter = line ~ /^  -[a-z]/ ? substr(line, 3, 2) : ""
            sub(/^  (-[a-z], )?/, "", line)
            name = line
            sub(/ .*/, "", name)
            names[++count] = name
            line = substr(line, length(name) + 2)
            value[name] = line
            sub(/ .*/, "", value[name])
            sub(/^[^ ]* +/, "", line)
            help[name] = line
            if (letter != "")
                same[letter] = name
        } else if (name != "" && sub(/^          +/, "", line)) {
            help[name] = help[name] (help[name] ~ /[|]$/ ? "" : " ") line
        } else
            name = ""
    }
    close(command)
}

function quoted(word) {
    sub(/^~\//, ENVIRON["HOME"] "/", word)
    gsub(/\047/, "\047\"\047\"\047", word)
    return "\047" word "\047"
}

# Offer the column names in the first line of the last operand that is a text file.
function offer_columns(many,    i, command, line, whole, sign, cells, cell, last) {
    for (i = operands; i > 0; i--) {
        if (operand[i] ~ /^\/dev\/|[.](pens?|np[yz])$/)
            continue
        command = "f=" quoted(operand[i]) "; test -f \"$f\" && gzip -dcf <\"$f\" 2>/dev/null | " \
            "head -c 1000000 | head -n 1"
        line = ""
        command | getline line
        close(command)
        whole = length(line) < 1000000 # a longer line is cut
        sub(/\r$/, "", line)
        sub(/^\357\273\277/, "", line)
        if (line == "" || line ~ /[\001-\010\013-\037]|"[^"]*[,;\t][^"]*"/)
            continue
        sign = line ~ /\t/ ? "\t" : line ~ /;/ ? ";" : line ~ /,/ ? "," : " "
        last = split(line, cells, sign) - !whole
        for (cell = 1; cell <= last; cell++) {
            gsub(/^ *"?|"? *$/, "", cells[cell])
            gsub(/""/, "\"", cells[cell])
            if (cells[cell] !~ /^([-+.0-9][-+.0-9eE]*)?$/ && !(many && cells[cell] ~ /,/))
                offer(cells[cell], "column")
        }
        return
    }
}

function offer_values(flag,    parts, last, i, range) {
    range = value[flag]
    if (range == "VALUE") { # a parameter: its help ends with "[0 to 1, auto; default auto]"
        range = help[flag]
        sub(/.*\[/, "", range)
        sub(/;.*/, "", range)
        gsub(/, /, "|", range)
    }
    if (range == "COLUMNS" && match(typed, /.*,/))
        before = before substr(typed, 1, RLENGTH)
    last = split(range, parts, "|")
    for (i = 1; i <= last; i++)
        if (parts[i] == "FILE")
            print "/"
        else if (parts[i] ~ /^COLUMN/)
            offer_columns(parts[i] == "COLUMNS")
        else if (parts[i] ~ /^[a-z.,][^ A-Z]*$/)
            offer(parts[i], "")
}

function flag_of(word) {
    sub(/=.*/, "", word)
    gsub(/_/, "-", word)
    return word in same ? same[word] : word
}

BEGIN {
    place = ARGV[1]
    program = ARGV[2]
    last = ARGC - 3
    for (i = 1; i <= last; i++)
        word[i] = ARGV[i + 2]
    if (place > 1 && word[1] == "help") { # "help fit" is completed like "fit"
        for (i = 1; i < last; i++)
            word[i] = word[i + 1]
        last--
        place--
    }
    typed = word[place]
    if (place == 1) {
        offer_lines("-h")
        if (typed ~ /^-/) {
            offer("--help", "list the commands")
            offer("--version", "print the version")
        }
        exit
    }
    words = word[1]
    if (words !~ /^[a-z]+$/)
        exit
    for (i = 2; i <= last; i++) # help lists the parameters of a method that it finds
        if (i != place && word[i] ~ /^[a-z][a-z0-9+\/-]*$/)
            words = words " " word[i]
    read_help(words " --help")

    for (i = 2; i <= last; i++) {
        if (i == place)
            first = operands
        else if (word[i] !~ /^-./)
            operand[++operands] = word[i]
        else if (word[i] !~ /=/ && value[flag_of(word[i])] != "" && ++i == place)
            wanted = flag_of(word[i - 1])
    }
    if (wanted == "" && match(typed, /^--[a-z0-9_-]+=/)) {
        before = substr(typed, 1, RLENGTH)
        wanted = flag_of(before)
        typed = substr(typed, RLENGTH + 1)
    }
    if (wanted != "")
        offer_values(wanted)
    else if (typed ~ /^-/)
        for (i = 1; i <= count; i++)
            offer(names[i], help[names[i]])
    else {
        if (!first && usage ~ /\[METHODS?\]/) {
            if (usage ~ /METHODS/ && match(typed, /.*,/))
                before = substr(typed, 1, RLENGTH)
            offer_lines("methods")
        }
        if (usage ~ /DATA|MODEL|IN/)
            print "/"
    }
}
