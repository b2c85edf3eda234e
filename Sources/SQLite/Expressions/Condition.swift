/// An expression that is true, false or, of `Bool?`, NULL.
public protocol Condition: Expressible {}

extension Expression: Condition where Datatype: ColumnType, Datatype.ColumnValue == Bool {}
