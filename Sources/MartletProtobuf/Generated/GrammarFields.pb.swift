// Made from grammar.proto by scripts/generate. Do not edit it.

/// The numbers of the fields of each message of the grammar.
public enum GrammarFields {
  public enum Statement {
    @inlinable public static var select: UInt32 { 1 }
    @inlinable public static var compound: UInt32 { 2 }
    @inlinable public static var values: UInt32 { 3 }
    @inlinable public static var with: UInt32 { 4 }
    @inlinable public static var insert: UInt32 { 5 }
    @inlinable public static var update: UInt32 { 6 }
    @inlinable public static var delete: UInt32 { 7 }
    @inlinable public static var createTable: UInt32 { 8 }
    @inlinable public static var alterTable: UInt32 { 9 }
    @inlinable public static var createIndex: UInt32 { 10 }
    @inlinable public static var createView: UInt32 { 11 }
    @inlinable public static var createTrigger: UInt32 { 12 }
    @inlinable public static var createVirtualTable: UInt32 { 13 }
    @inlinable public static var drop: UInt32 { 14 }
    @inlinable public static var raw: UInt32 { 15 }
    /// From the first field to the last.
    @inlinable public static var numbers: ClosedRange<UInt32> { 1...15 }
  }
  public enum Select {
    @inlinable public static var distinct: UInt32 { 1 }
    @inlinable public static var columns: UInt32 { 2 }
    @inlinable public static var from: UInt32 { 3 }
    @inlinable public static var joins: UInt32 { 4 }
    @inlinable public static var `where`: UInt32 { 5 }
    @inlinable public static var groupBy: UInt32 { 6 }
    @inlinable public static var having: UInt32 { 7 }
    @inlinable public static var windows: UInt32 { 8 }
    @inlinable public static var orderBy: UInt32 { 9 }
    @inlinable public static var limit: UInt32 { 10 }
    @inlinable public static var offset: UInt32 { 11 }
    /// From the first field to the last.
    @inlinable public static var numbers: ClosedRange<UInt32> { 1...11 }
  }
  public enum ResultColumn {
    @inlinable public static var expression: UInt32 { 1 }
    @inlinable public static var all: UInt32 { 2 }
    @inlinable public static var alias: UInt32 { 3 }
    /// From the first field to the last.
    @inlinable public static var numbers: ClosedRange<UInt32> { 1...3 }
  }
  public enum AllColumns {
    @inlinable public static var table: UInt32 { 1 }
    /// From the first field to the last.
    @inlinable public static var numbers: ClosedRange<UInt32> { 1...1 }
  }
  public enum TableSource {
    @inlinable public static var table: UInt32 { 1 }
    @inlinable public static var subquery: UInt32 { 2 }
    @inlinable public static var function: UInt32 { 3 }
    @inlinable public static var joined: UInt32 { 4 }
    @inlinable public static var rows: UInt32 { 5 }
    @inlinable public static var raw: UInt32 { 6 }
    @inlinable public static var alias: UInt32 { 7 }
    /// From the first field to the last.
    @inlinable public static var numbers: ClosedRange<UInt32> { 1...7 }
  }
  public enum Table {
    @inlinable public static var schema: UInt32 { 1 }
    @inlinable public static var name: UInt32 { 2 }
    @inlinable public static var indexedBy: UInt32 { 3 }
    @inlinable public static var notIndexed: UInt32 { 4 }
    /// From the first field to the last.
    @inlinable public static var numbers: ClosedRange<UInt32> { 1...4 }
  }
  public enum TableFunction {
    @inlinable public static var schema: UInt32 { 1 }
    @inlinable public static var name: UInt32 { 2 }
    @inlinable public static var arguments: UInt32 { 3 }
    /// From the first field to the last.
    @inlinable public static var numbers: ClosedRange<UInt32> { 1...3 }
  }
  public enum JoinedTables {
    @inlinable public static var from: UInt32 { 1 }
    @inlinable public static var joins: UInt32 { 2 }
    /// From the first field to the last.
    @inlinable public static var numbers: ClosedRange<UInt32> { 1...2 }
  }
  public enum Join {
    @inlinable public static var kind: UInt32 { 1 }
    @inlinable public static var natural: UInt32 { 2 }
    @inlinable public static var source: UInt32 { 3 }
    @inlinable public static var on: UInt32 { 4 }
    @inlinable public static var using: UInt32 { 5 }
    /// From the first field to the last.
    @inlinable public static var numbers: ClosedRange<UInt32> { 1...5 }
  }
  public enum NamedWindow {
    @inlinable public static var name: UInt32 { 1 }
    @inlinable public static var window: UInt32 { 2 }
    /// From the first field to the last.
    @inlinable public static var numbers: ClosedRange<UInt32> { 1...2 }
  }
  public enum OrderingTerm {
    @inlinable public static var expression: UInt32 { 1 }
    @inlinable public static var direction: UInt32 { 2 }
    @inlinable public static var nulls: UInt32 { 3 }
    /// From the first field to the last.
    @inlinable public static var numbers: ClosedRange<UInt32> { 1...3 }
  }
  public enum Compound {
    public enum Term {
      @inlinable public static var `operator`: UInt32 { 1 }
      @inlinable public static var query: UInt32 { 2 }
      /// From the first field to the last.
      @inlinable public static var numbers: ClosedRange<UInt32> { 1...2 }
    }
    @inlinable public static var first: UInt32 { 1 }
    @inlinable public static var terms: UInt32 { 2 }
    @inlinable public static var orderBy: UInt32 { 3 }
    @inlinable public static var limit: UInt32 { 4 }
    @inlinable public static var offset: UInt32 { 5 }
    /// From the first field to the last.
    @inlinable public static var numbers: ClosedRange<UInt32> { 1...5 }
  }
  public enum Values {
    @inlinable public static var rows: UInt32 { 1 }
    /// From the first field to the last.
    @inlinable public static var numbers: ClosedRange<UInt32> { 1...1 }
  }
  public enum With {
    @inlinable public static var tables: UInt32 { 1 }
    @inlinable public static var recursive: UInt32 { 2 }
    @inlinable public static var body: UInt32 { 3 }
    /// From the first field to the last.
    @inlinable public static var numbers: ClosedRange<UInt32> { 1...3 }
  }
  public enum CommonTable {
    @inlinable public static var name: UInt32 { 1 }
    @inlinable public static var columns: UInt32 { 2 }
    @inlinable public static var materialization: UInt32 { 3 }
    @inlinable public static var query: UInt32 { 4 }
    /// From the first field to the last.
    @inlinable public static var numbers: ClosedRange<UInt32> { 1...4 }
  }
  public enum Insert {
    @inlinable public static var or: UInt32 { 1 }
    @inlinable public static var into: UInt32 { 2 }
    @inlinable public static var alias: UInt32 { 3 }
    @inlinable public static var columns: UInt32 { 4 }
    @inlinable public static var values: UInt32 { 5 }
    @inlinable public static var query: UInt32 { 6 }
    @inlinable public static var rows: UInt32 { 7 }
    @inlinable public static var defaultValues: UInt32 { 8 }
    @inlinable public static var upserts: UInt32 { 9 }
    @inlinable public static var returning: UInt32 { 10 }
    /// From the first field to the last.
    @inlinable public static var numbers: ClosedRange<UInt32> { 1...10 }
  }
  public enum Upsert {
    @inlinable public static var target: UInt32 { 1 }
    @inlinable public static var targetWhere: UInt32 { 2 }
    @inlinable public static var assignments: UInt32 { 3 }
    @inlinable public static var `where`: UInt32 { 4 }
    /// From the first field to the last.
    @inlinable public static var numbers: ClosedRange<UInt32> { 1...4 }
  }
  public enum IndexedColumn {
    @inlinable public static var expression: UInt32 { 1 }
    @inlinable public static var collation: UInt32 { 2 }
    @inlinable public static var direction: UInt32 { 3 }
    /// From the first field to the last.
    @inlinable public static var numbers: ClosedRange<UInt32> { 1...3 }
  }
  public enum Assignment {
    @inlinable public static var columns: UInt32 { 1 }
    @inlinable public static var value: UInt32 { 2 }
    /// From the first field to the last.
    @inlinable public static var numbers: ClosedRange<UInt32> { 1...2 }
  }
  public enum Update {
    @inlinable public static var or: UInt32 { 1 }
    @inlinable public static var table: UInt32 { 2 }
    @inlinable public static var alias: UInt32 { 3 }
    @inlinable public static var assignments: UInt32 { 4 }
    @inlinable public static var from: UInt32 { 5 }
    @inlinable public static var joins: UInt32 { 6 }
    @inlinable public static var `where`: UInt32 { 7 }
    @inlinable public static var returning: UInt32 { 8 }
    @inlinable public static var orderBy: UInt32 { 9 }
    @inlinable public static var limit: UInt32 { 10 }
    @inlinable public static var offset: UInt32 { 11 }
    /// From the first field to the last.
    @inlinable public static var numbers: ClosedRange<UInt32> { 1...11 }
  }
  public enum Delete {
    @inlinable public static var from: UInt32 { 1 }
    @inlinable public static var alias: UInt32 { 2 }
    @inlinable public static var `where`: UInt32 { 3 }
    @inlinable public static var returning: UInt32 { 4 }
    @inlinable public static var orderBy: UInt32 { 5 }
    @inlinable public static var limit: UInt32 { 6 }
    @inlinable public static var offset: UInt32 { 7 }
    /// From the first field to the last.
    @inlinable public static var numbers: ClosedRange<UInt32> { 1...7 }
  }
  public enum Expression {
    @inlinable public static var column: UInt32 { 1 }
    @inlinable public static var parameter: UInt32 { 2 }
    @inlinable public static var literal: UInt32 { 3 }
    @inlinable public static var call: UInt32 { 4 }
    @inlinable public static var `case`: UInt32 { 5 }
    @inlinable public static var cast: UInt32 { 6 }
    @inlinable public static var collate: UInt32 { 7 }
    @inlinable public static var tuple: UInt32 { 8 }
    @inlinable public static var list: UInt32 { 9 }
    @inlinable public static var subquery: UInt32 { 10 }
    @inlinable public static var exists: UInt32 { 11 }
    @inlinable public static var raise: UInt32 { 12 }
    @inlinable public static var raw: UInt32 { 13 }
    /// From the first field to the last.
    @inlinable public static var numbers: ClosedRange<UInt32> { 1...13 }
  }
  public enum Column {
    @inlinable public static var schema: UInt32 { 1 }
    @inlinable public static var table: UInt32 { 2 }
    @inlinable public static var name: UInt32 { 3 }
    /// From the first field to the last.
    @inlinable public static var numbers: ClosedRange<UInt32> { 1...3 }
  }
  public enum Parameter {
    @inlinable public static var index: UInt32 { 1 }
    @inlinable public static var list: UInt32 { 2 }
    @inlinable public static var columns: UInt32 { 3 }
    /// From the first field to the last.
    @inlinable public static var numbers: ClosedRange<UInt32> { 1...3 }
  }
  public enum Literal {
    @inlinable public static var keyword: UInt32 { 1 }
    @inlinable public static var integer: UInt32 { 2 }
    @inlinable public static var real: UInt32 { 3 }
    @inlinable public static var text: UInt32 { 4 }
    @inlinable public static var blob: UInt32 { 5 }
    /// From the first field to the last.
    @inlinable public static var numbers: ClosedRange<UInt32> { 1...5 }
  }
  public enum Call {
    @inlinable public static var `operator`: UInt32 { 1 }
    @inlinable public static var function: UInt32 { 2 }
    @inlinable public static var arguments: UInt32 { 3 }
    @inlinable public static var star: UInt32 { 4 }
    @inlinable public static var distinct: UInt32 { 5 }
    @inlinable public static var orderBy: UInt32 { 6 }
    @inlinable public static var filter: UInt32 { 7 }
    @inlinable public static var over: UInt32 { 8 }
    /// From the first field to the last.
    @inlinable public static var numbers: ClosedRange<UInt32> { 1...8 }
  }
  public enum Over {
    @inlinable public static var name: UInt32 { 1 }
    @inlinable public static var window: UInt32 { 2 }
    /// From the first field to the last.
    @inlinable public static var numbers: ClosedRange<UInt32> { 1...2 }
  }
  public enum Window {
    @inlinable public static var base: UInt32 { 1 }
    @inlinable public static var partitionBy: UInt32 { 2 }
    @inlinable public static var orderBy: UInt32 { 3 }
    @inlinable public static var frame: UInt32 { 4 }
    /// From the first field to the last.
    @inlinable public static var numbers: ClosedRange<UInt32> { 1...4 }
  }
  public enum Frame {
    @inlinable public static var unit: UInt32 { 1 }
    @inlinable public static var start: UInt32 { 2 }
    @inlinable public static var end: UInt32 { 3 }
    @inlinable public static var exclusion: UInt32 { 4 }
    /// From the first field to the last.
    @inlinable public static var numbers: ClosedRange<UInt32> { 1...4 }
  }
  public enum FrameBound {
    @inlinable public static var kind: UInt32 { 1 }
    @inlinable public static var offset: UInt32 { 2 }
    /// From the first field to the last.
    @inlinable public static var numbers: ClosedRange<UInt32> { 1...2 }
  }
  public enum Case {
    public enum Branch {
      @inlinable public static var when: UInt32 { 1 }
      @inlinable public static var then: UInt32 { 2 }
      /// From the first field to the last.
      @inlinable public static var numbers: ClosedRange<UInt32> { 1...2 }
    }
    @inlinable public static var base: UInt32 { 1 }
    @inlinable public static var branches: UInt32 { 2 }
    @inlinable public static var `else`: UInt32 { 3 }
    /// From the first field to the last.
    @inlinable public static var numbers: ClosedRange<UInt32> { 1...3 }
  }
  public enum Cast {
    @inlinable public static var operand: UInt32 { 1 }
    @inlinable public static var type: UInt32 { 2 }
    /// From the first field to the last.
    @inlinable public static var numbers: ClosedRange<UInt32> { 1...2 }
  }
  public enum Collate {
    @inlinable public static var operand: UInt32 { 1 }
    @inlinable public static var collation: UInt32 { 2 }
    /// From the first field to the last.
    @inlinable public static var numbers: ClosedRange<UInt32> { 1...2 }
  }
  public enum Tuple {
    @inlinable public static var elements: UInt32 { 1 }
    /// From the first field to the last.
    @inlinable public static var numbers: ClosedRange<UInt32> { 1...1 }
  }
  public enum List {
    @inlinable public static var elements: UInt32 { 1 }
    /// From the first field to the last.
    @inlinable public static var numbers: ClosedRange<UInt32> { 1...1 }
  }
  public enum Raise {
    @inlinable public static var action: UInt32 { 1 }
    @inlinable public static var message: UInt32 { 2 }
    /// From the first field to the last.
    @inlinable public static var numbers: ClosedRange<UInt32> { 1...2 }
  }
  public enum Raw {
    public enum Part {
      @inlinable public static var sql: UInt32 { 1 }
      @inlinable public static var expression: UInt32 { 2 }
      @inlinable public static var statement: UInt32 { 3 }
      @inlinable public static var identifier: UInt32 { 4 }
      /// From the first field to the last.
      @inlinable public static var numbers: ClosedRange<UInt32> { 1...4 }
    }
    @inlinable public static var parts: UInt32 { 1 }
    /// From the first field to the last.
    @inlinable public static var numbers: ClosedRange<UInt32> { 1...1 }
  }
  public enum CreateTable {
    @inlinable public static var temporary: UInt32 { 1 }
    @inlinable public static var ifNotExists: UInt32 { 2 }
    @inlinable public static var schema: UInt32 { 3 }
    @inlinable public static var name: UInt32 { 4 }
    @inlinable public static var columns: UInt32 { 5 }
    @inlinable public static var constraints: UInt32 { 6 }
    @inlinable public static var withoutRowid: UInt32 { 7 }
    @inlinable public static var strict: UInt32 { 8 }
    @inlinable public static var `as`: UInt32 { 9 }
    /// From the first field to the last.
    @inlinable public static var numbers: ClosedRange<UInt32> { 1...9 }
  }
  public enum ColumnDefinition {
    @inlinable public static var name: UInt32 { 1 }
    @inlinable public static var type: UInt32 { 2 }
    @inlinable public static var constraints: UInt32 { 3 }
    /// From the first field to the last.
    @inlinable public static var numbers: ClosedRange<UInt32> { 1...3 }
  }
  public enum ColumnConstraint {
    public enum PrimaryKey {
      @inlinable public static var direction: UInt32 { 1 }
      @inlinable public static var onConflict: UInt32 { 2 }
      @inlinable public static var autoincrement: UInt32 { 3 }
      /// From the first field to the last.
      @inlinable public static var numbers: ClosedRange<UInt32> { 1...3 }
    }
    public enum NotNull {
      @inlinable public static var onConflict: UInt32 { 1 }
      /// From the first field to the last.
      @inlinable public static var numbers: ClosedRange<UInt32> { 1...1 }
    }
    public enum Unique {
      @inlinable public static var onConflict: UInt32 { 1 }
      /// From the first field to the last.
      @inlinable public static var numbers: ClosedRange<UInt32> { 1...1 }
    }
    public enum Generated {
      @inlinable public static var expression: UInt32 { 1 }
      @inlinable public static var stored: UInt32 { 2 }
      /// From the first field to the last.
      @inlinable public static var numbers: ClosedRange<UInt32> { 1...2 }
    }
    @inlinable public static var name: UInt32 { 1 }
    @inlinable public static var primaryKey: UInt32 { 2 }
    @inlinable public static var notNull: UInt32 { 3 }
    @inlinable public static var unique: UInt32 { 4 }
    @inlinable public static var check: UInt32 { 5 }
    @inlinable public static var `default`: UInt32 { 6 }
    @inlinable public static var collation: UInt32 { 7 }
    @inlinable public static var references: UInt32 { 8 }
    @inlinable public static var generated: UInt32 { 9 }
    /// From the first field to the last.
    @inlinable public static var numbers: ClosedRange<UInt32> { 1...9 }
  }
  public enum TableConstraint {
    public enum Key {
      @inlinable public static var columns: UInt32 { 1 }
      @inlinable public static var onConflict: UInt32 { 2 }
      /// From the first field to the last.
      @inlinable public static var numbers: ClosedRange<UInt32> { 1...2 }
    }
    public enum Foreign {
      @inlinable public static var columns: UInt32 { 1 }
      @inlinable public static var references: UInt32 { 2 }
      /// From the first field to the last.
      @inlinable public static var numbers: ClosedRange<UInt32> { 1...2 }
    }
    @inlinable public static var name: UInt32 { 1 }
    @inlinable public static var primaryKey: UInt32 { 2 }
    @inlinable public static var unique: UInt32 { 3 }
    @inlinable public static var check: UInt32 { 4 }
    @inlinable public static var foreignKey: UInt32 { 5 }
    /// From the first field to the last.
    @inlinable public static var numbers: ClosedRange<UInt32> { 1...5 }
  }
  public enum ForeignKey {
    @inlinable public static var table: UInt32 { 1 }
    @inlinable public static var columns: UInt32 { 2 }
    @inlinable public static var onDelete: UInt32 { 3 }
    @inlinable public static var onUpdate: UInt32 { 4 }
    @inlinable public static var deferral: UInt32 { 5 }
    /// From the first field to the last.
    @inlinable public static var numbers: ClosedRange<UInt32> { 1...5 }
  }
  public enum AlterTable {
    public enum RenameColumn {
      @inlinable public static var from: UInt32 { 1 }
      @inlinable public static var to: UInt32 { 2 }
      /// From the first field to the last.
      @inlinable public static var numbers: ClosedRange<UInt32> { 1...2 }
    }
    @inlinable public static var schema: UInt32 { 1 }
    @inlinable public static var name: UInt32 { 2 }
    @inlinable public static var renameTo: UInt32 { 3 }
    @inlinable public static var renameColumn: UInt32 { 4 }
    @inlinable public static var addColumn: UInt32 { 5 }
    @inlinable public static var dropColumn: UInt32 { 6 }
    /// From the first field to the last.
    @inlinable public static var numbers: ClosedRange<UInt32> { 1...6 }
  }
  public enum CreateIndex {
    @inlinable public static var unique: UInt32 { 1 }
    @inlinable public static var ifNotExists: UInt32 { 2 }
    @inlinable public static var schema: UInt32 { 3 }
    @inlinable public static var name: UInt32 { 4 }
    @inlinable public static var table: UInt32 { 5 }
    @inlinable public static var columns: UInt32 { 6 }
    @inlinable public static var `where`: UInt32 { 7 }
    /// From the first field to the last.
    @inlinable public static var numbers: ClosedRange<UInt32> { 1...7 }
  }
  public enum CreateView {
    @inlinable public static var temporary: UInt32 { 1 }
    @inlinable public static var ifNotExists: UInt32 { 2 }
    @inlinable public static var schema: UInt32 { 3 }
    @inlinable public static var name: UInt32 { 4 }
    @inlinable public static var columns: UInt32 { 5 }
    @inlinable public static var query: UInt32 { 6 }
    /// From the first field to the last.
    @inlinable public static var numbers: ClosedRange<UInt32> { 1...6 }
  }
  public enum CreateTrigger {
    @inlinable public static var temporary: UInt32 { 1 }
    @inlinable public static var ifNotExists: UInt32 { 2 }
    @inlinable public static var schema: UInt32 { 3 }
    @inlinable public static var name: UInt32 { 4 }
    @inlinable public static var timing: UInt32 { 5 }
    @inlinable public static var event: UInt32 { 6 }
    @inlinable public static var updateColumns: UInt32 { 7 }
    @inlinable public static var table: UInt32 { 8 }
    @inlinable public static var when: UInt32 { 9 }
    @inlinable public static var body: UInt32 { 10 }
    /// From the first field to the last.
    @inlinable public static var numbers: ClosedRange<UInt32> { 1...10 }
  }
  public enum CreateVirtualTable {
    @inlinable public static var ifNotExists: UInt32 { 1 }
    @inlinable public static var schema: UInt32 { 2 }
    @inlinable public static var name: UInt32 { 3 }
    @inlinable public static var module: UInt32 { 4 }
    @inlinable public static var arguments: UInt32 { 5 }
    /// From the first field to the last.
    @inlinable public static var numbers: ClosedRange<UInt32> { 1...5 }
  }
  public enum ModuleArgument {
    public enum Column {
      @inlinable public static var name: UInt32 { 1 }
      @inlinable public static var attributes: UInt32 { 2 }
      /// From the first field to the last.
      @inlinable public static var numbers: ClosedRange<UInt32> { 1...2 }
    }
    public enum Option {
      @inlinable public static var name: UInt32 { 1 }
      @inlinable public static var value: UInt32 { 2 }
      @inlinable public static var arguments: UInt32 { 3 }
      /// From the first field to the last.
      @inlinable public static var numbers: ClosedRange<UInt32> { 1...3 }
    }
    @inlinable public static var column: UInt32 { 1 }
    @inlinable public static var option: UInt32 { 2 }
    /// From the first field to the last.
    @inlinable public static var numbers: ClosedRange<UInt32> { 1...2 }
  }
  public enum Drop {
    @inlinable public static var kind: UInt32 { 1 }
    @inlinable public static var ifExists: UInt32 { 2 }
    @inlinable public static var schema: UInt32 { 3 }
    @inlinable public static var name: UInt32 { 4 }
    /// From the first field to the last.
    @inlinable public static var numbers: ClosedRange<UInt32> { 1...4 }
  }
}
