module socket

go 1.19
