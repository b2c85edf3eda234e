/// A struct as a table or as rows of a query: its name, its columns and its key.
///
/// Always true: a model that was read without an error expands to code that depends only on the properties' types.
struct StructModel {
  enum Role {
    case table
    case selection
  }

  var role: Role
  /// The type's own name, with its generic parameters as arguments.
  var typeName: String
  var tableName: String
  var schemaName: String?
  var columns: [ColumnModel]
  var access: Access
  /// Static properties cannot be stored within generic types.
  var isGeneric: Bool
  /// Whether the compiler writes an initializer of all columns, which anybody may call.
  var hasMemberwiseInitializer: Bool
  var inherited: [String]
  var declaredMembers: Set<String>
  var declaredStatics: Set<String>

  var primaryKey: ColumnModel? { columns.first(where: \.isPrimaryKey) }
  /// Whether rows can exist before the database has filled in the key, or whatever else it fills in.
  var hasDraft: Bool { role == .table && columns.contains { $0.isPrimaryKey || $0.isLazyInitializable } }

  /// The columns that a person can set.
  var writableColumns: [ColumnModel] { columns.filter { !$0.isGenerated } }
}
