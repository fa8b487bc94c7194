# cmake -DFILE=... -DNAME=... -DOUT=... -P embed.cmake: the bytes of FILE, and a NUL, as the array
# NAME of unsigned char in the C file OUT.
file(READ ${FILE} bytes HEX)
string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
set(type "const unsigned char ${NAME}[]")
file(WRITE ${OUT} "extern ${type};\n${type} = {${bytes}0};\n")
