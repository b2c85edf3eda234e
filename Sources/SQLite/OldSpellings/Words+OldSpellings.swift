/// Words as SQLite.swift had them for Swift 1.2: with a capital.
///
/// Always true: each is deprecated, and says what is written today.
extension OnConflict {
  /// `replace`
  @available(*, deprecated, renamed: "replace")
  public static var Replace: OnConflict { .replace }
  /// `rollback`
  @available(*, deprecated, renamed: "rollback")
  public static var Rollback: OnConflict { .rollback }
  /// `abort`
  @available(*, deprecated, renamed: "abort")
  public static var Abort: OnConflict { .abort }
  /// `fail`
  @available(*, deprecated, renamed: "fail")
  public static var Fail: OnConflict { .fail }
  /// `ignore`
  @available(*, deprecated, renamed: "ignore")
  public static var Ignore: OnConflict { .ignore }
}

extension PrimaryKey {
  /// `default`
  @available(*, deprecated, renamed: "default")
  public static var Default: PrimaryKey { .default }
  /// `autoincrement`
  @available(*, deprecated, renamed: "autoincrement")
  public static var Autoincrement: PrimaryKey { .autoincrement }
}

extension ForeignKeyAction {
  /// `noAction`
  @available(*, deprecated, renamed: "noAction")
  public static var NoAction: ForeignKeyAction { .noAction }
  /// `restrict`
  @available(*, deprecated, renamed: "restrict")
  public static var Restrict: ForeignKeyAction { .restrict }
  /// `setNull`
  @available(*, deprecated, renamed: "setNull")
  public static var SetNull: ForeignKeyAction { .setNull }
  /// `setDefault`
  @available(*, deprecated, renamed: "setDefault")
  public static var SetDefault: ForeignKeyAction { .setDefault }
  /// `cascade`
  @available(*, deprecated, renamed: "cascade")
  public static var Cascade: ForeignKeyAction { .cascade }
}

extension Collation {
  /// `binary`
  @available(*, deprecated, renamed: "binary")
  public static var Binary: Collation { .binary }
  /// `nocase`
  @available(*, deprecated, renamed: "nocase")
  public static var Nocase: Collation { .nocase }
  /// `rtrim`
  @available(*, deprecated, renamed: "rtrim")
  public static var Rtrim: Collation { .rtrim }
  /// `custom`
  @available(*, deprecated, renamed: "custom")
  public static func Custom(_ name: String) -> Collation { .custom(name) }
}

extension JoinType {
  /// `cross`
  @available(*, deprecated, renamed: "cross")
  public static var Cross: JoinType { .cross }
  /// `inner`
  @available(*, deprecated, renamed: "inner")
  public static var Inner: JoinType { .inner }
  /// `leftOuter`
  @available(*, deprecated, renamed: "leftOuter")
  public static var LeftOuter: JoinType { .leftOuter }
}
