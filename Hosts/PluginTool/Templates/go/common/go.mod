module @SLUG@

go 1.19
