// Most tests of this target work with files.
@_exported public import TestFiles
