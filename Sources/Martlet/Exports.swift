/// What `import Martlet` brings: the builder and the databases; the macros are in `Macros/`.
@_exported public import MartletDatabase
@_exported public import MartletQuery
