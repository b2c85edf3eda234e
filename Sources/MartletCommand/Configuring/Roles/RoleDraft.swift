import MartletServer
import MartletValues

/// A role as its table in the file says it, without what it inherits.
struct RoleDraft {
  /// Nil if the file does not name them.
  var databases: [DatabasePattern]?
  var permissions: Permissions?
  var tables: [String: Table]?
  var shapes: [String]?
  var inherits: [String] = []
  var quotas: [Quota: Int] = [:]

  /// The rule for a table, by the table's name in lower case.
  struct Table: Equatable {
    /// The rule; `rows` is allowed if the file does not say what may be done.
    var rule: TableRule
    /// What the file says may be done. An heir may do more than the role that `rule` was cut to. Nil: the file does not
    /// say.
    var named: Permissions?

    /// The same for somebody who may do no more than this.
    func cut(to permissions: Permissions) -> Table {
      var table = self
      table.rule.permissions.formIntersection(permissions)
      return table
    }
  }

  /// Whether the role says more than what it inherits and how much its clients may use.
  var hasRights: Bool { databases != nil || permissions != nil || tables != nil || shapes != nil }
}
