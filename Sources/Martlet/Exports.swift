/// What `import Martlet` brings: the builder and the databases; the macros stand beside this file.
@_exported public import MartletDatabase
@_exported public import MartletQuery
