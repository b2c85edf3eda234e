// Made from rows.proto and session.proto by scripts/generate. Do not edit it.

/// The numbers of the fields of each message of the envelope.
public enum Fields {
  public enum Value {
    @inlinable public static var null: UInt32 { 1 }
    @inlinable public static var integer: UInt32 { 2 }
    @inlinable public static var real: UInt32 { 3 }
    @inlinable public static var text: UInt32 { 4 }
    @inlinable public static var blob: UInt32 { 5 }
    @inlinable public static var rows: UInt32 { 6 }
    @inlinable public static var reference: UInt32 { 7 }
    /// From the first field to the last.
    @inlinable public static var numbers: ClosedRange<UInt32> { 1...7 }
  }
  public enum StepReference {
    @inlinable public static var step: UInt32 { 1 }
    @inlinable public static var field: UInt32 { 2 }
    @inlinable public static var column: UInt32 { 3 }
    /// From the first field to the last.
    @inlinable public static var numbers: ClosedRange<UInt32> { 1...3 }
  }
  public enum ColumnValues {
    @inlinable public static var kind: UInt32 { 1 }
    @inlinable public static var nulls: UInt32 { 2 }
    @inlinable public static var integers: UInt32 { 3 }
    @inlinable public static var reals: UInt32 { 4 }
    @inlinable public static var ends: UInt32 { 5 }
    @inlinable public static var data: UInt32 { 6 }
    @inlinable public static var tags: UInt32 { 7 }
    /// From the first field to the last.
    @inlinable public static var numbers: ClosedRange<UInt32> { 1...7 }
  }
  public enum RowBatch {
    @inlinable public static var rowCount: UInt32 { 1 }
    @inlinable public static var columns: UInt32 { 2 }
    /// From the first field to the last.
    @inlinable public static var numbers: ClosedRange<UInt32> { 1...2 }
  }
  public enum ClientMessage {
    @inlinable public static var requestID: UInt32 { 1 }
    @inlinable public static var hello: UInt32 { 2 }
    @inlinable public static var execute: UInt32 { 3 }
    @inlinable public static var batch: UInt32 { 4 }
    @inlinable public static var begin: UInt32 { 5 }
    @inlinable public static var finish: UInt32 { 6 }
    @inlinable public static var savepoint: UInt32 { 7 }
    @inlinable public static var credit: UInt32 { 8 }
    @inlinable public static var cancel: UInt32 { 9 }
    @inlinable public static var ping: UInt32 { 10 }
    @inlinable public static var inspect: UInt32 { 11 }
    @inlinable public static var setup: UInt32 { 12 }
    @inlinable public static var maintain: UInt32 { 13 }
    @inlinable public static var administer: UInt32 { 14 }
    /// From the first field to the last.
    @inlinable public static var numbers: ClosedRange<UInt32> { 1...14 }
  }
  public enum Hello {
    @inlinable public static var `protocol`: UInt32 { 1 }
    @inlinable public static var database: UInt32 { 2 }
    @inlinable public static var client: UInt32 { 3 }
    @inlinable public static var create: UInt32 { 4 }
    @inlinable public static var setup: UInt32 { 5 }
    @inlinable public static var setupFollows: UInt32 { 6 }
    @inlinable public static var credential: UInt32 { 7 }
    /// From the first field to the last.
    @inlinable public static var numbers: ClosedRange<UInt32> { 1...7 }
  }
  public enum Setup {
    @inlinable public static var statements: UInt32 { 1 }
    /// From the first field to the last.
    @inlinable public static var numbers: ClosedRange<UInt32> { 1...1 }
  }
  public enum Execute {
    @inlinable public static var statement: UInt32 { 1 }
    @inlinable public static var shape: UInt32 { 2 }
    @inlinable public static var parameters: UInt32 { 3 }
    @inlinable public static var transaction: UInt32 { 4 }
    @inlinable public static var deadlineMs: UInt32 { 5 }
    @inlinable public static var credit: UInt32 { 6 }
    @inlinable public static var columnsVersion: UInt32 { 7 }
    @inlinable public static var deadlineMayShrink: UInt32 { 8 }
    @inlinable public static var required: UInt32 { 9 }
    /// From the first field to the last.
    @inlinable public static var numbers: ClosedRange<UInt32> { 1...9 }
  }
  public enum Batch {
    @inlinable public static var steps: UInt32 { 1 }
    @inlinable public static var atomic: UInt32 { 2 }
    @inlinable public static var transaction: UInt32 { 3 }
    @inlinable public static var deadlineMs: UInt32 { 4 }
    @inlinable public static var credit: UInt32 { 5 }
    @inlinable public static var deadlineMayShrink: UInt32 { 6 }
    /// From the first field to the last.
    @inlinable public static var numbers: ClosedRange<UInt32> { 1...6 }
  }
  public enum Step {
    @inlinable public static var statement: UInt32 { 1 }
    @inlinable public static var shape: UInt32 { 2 }
    @inlinable public static var parameters: UInt32 { 3 }
    @inlinable public static var columnsVersion: UInt32 { 4 }
    @inlinable public static var conditions: UInt32 { 5 }
    @inlinable public static var any: UInt32 { 6 }
    /// From the first field to the last.
    @inlinable public static var numbers: ClosedRange<UInt32> { 1...6 }
  }
  public enum Condition {
    @inlinable public static var step: UInt32 { 1 }
    @inlinable public static var outcome: UInt32 { 2 }
    @inlinable public static var negated: UInt32 { 3 }
    /// From the first field to the last.
    @inlinable public static var numbers: ClosedRange<UInt32> { 1...3 }
  }
  public enum Begin {
    @inlinable public static var mode: UInt32 { 1 }
    @inlinable public static var deadlineMs: UInt32 { 2 }
    /// From the first field to the last.
    @inlinable public static var numbers: ClosedRange<UInt32> { 1...2 }
  }
  public enum Finish {
    @inlinable public static var transaction: UInt32 { 1 }
    @inlinable public static var commit: UInt32 { 2 }
    @inlinable public static var required: UInt32 { 3 }
    /// From the first field to the last.
    @inlinable public static var numbers: ClosedRange<UInt32> { 1...3 }
  }
  public enum Savepoint {
    @inlinable public static var transaction: UInt32 { 1 }
    @inlinable public static var action: UInt32 { 2 }
    @inlinable public static var number: UInt32 { 3 }
    /// From the first field to the last.
    @inlinable public static var numbers: ClosedRange<UInt32> { 1...3 }
  }
  public enum Credit {
    @inlinable public static var bytes: UInt32 { 1 }
    /// From the first field to the last.
    @inlinable public static var numbers: ClosedRange<UInt32> { 1...1 }
  }
  public enum Cancel {
  }
  public enum Ping {
    @inlinable public static var payload: UInt32 { 1 }
    /// From the first field to the last.
    @inlinable public static var numbers: ClosedRange<UInt32> { 1...1 }
  }
  public enum Inspect {
    @inlinable public static var shapes: UInt32 { 1 }
    @inlinable public static var sessions: UInt32 { 2 }
    /// From the first field to the last.
    @inlinable public static var numbers: ClosedRange<UInt32> { 1...2 }
  }
  public enum Maintain {
    @inlinable public static var task: UInt32 { 1 }
    @inlinable public static var deadlineMs: UInt32 { 2 }
    @inlinable public static var credit: UInt32 { 3 }
    /// From the first field to the last.
    @inlinable public static var numbers: ClosedRange<UInt32> { 1...3 }
  }
  public enum Administer {
    @inlinable public static var task: UInt32 { 1 }
    @inlinable public static var database: UInt32 { 2 }
    @inlinable public static var newName: UInt32 { 3 }
    @inlinable public static var endSessions: UInt32 { 4 }
    /// From the first field to the last.
    @inlinable public static var numbers: ClosedRange<UInt32> { 1...4 }
  }
  public enum ServerMessage {
    @inlinable public static var requestID: UInt32 { 1 }
    @inlinable public static var step: UInt32 { 2 }
    @inlinable public static var hello: UInt32 { 3 }
    @inlinable public static var columns: UInt32 { 4 }
    @inlinable public static var rows: UInt32 { 5 }
    @inlinable public static var completion: UInt32 { 6 }
    @inlinable public static var error: UInt32 { 7 }
    @inlinable public static var pong: UInt32 { 8 }
    @inlinable public static var inspection: UInt32 { 9 }
    @inlinable public static var transactionEnded: UInt32 { 10 }
    @inlinable public static var closing: UInt32 { 11 }
    @inlinable public static var databases: UInt32 { 12 }
    /// From the first field to the last.
    @inlinable public static var numbers: ClosedRange<UInt32> { 1...12 }
  }
  public enum HelloReply {
    @inlinable public static var `protocol`: UInt32 { 1 }
    @inlinable public static var server: UInt32 { 2 }
    @inlinable public static var sqlite: UInt32 { 3 }
    @inlinable public static var frameBytesMax: UInt32 { 4 }
    @inlinable public static var requestsMax: UInt32 { 5 }
    @inlinable public static var creditBytesMax: UInt32 { 6 }
    @inlinable public static var creditBytesDefault: UInt32 { 7 }
    @inlinable public static var countsRequired: UInt32 { 8 }
    @inlinable public static var schemaObjectsMax: UInt32 { 9 }
    @inlinable public static var schemaBytesMax: UInt32 { 10 }
    /// From the first field to the last.
    @inlinable public static var numbers: ClosedRange<UInt32> { 1...10 }
  }
  public enum Columns {
    @inlinable public static var version: UInt32 { 1 }
    @inlinable public static var columns: UInt32 { 2 }
    /// From the first field to the last.
    @inlinable public static var numbers: ClosedRange<UInt32> { 1...2 }
  }
  public enum ColumnInfo {
    @inlinable public static var name: UInt32 { 1 }
    @inlinable public static var declaredType: UInt32 { 2 }
    @inlinable public static var database: UInt32 { 3 }
    @inlinable public static var table: UInt32 { 4 }
    @inlinable public static var origin: UInt32 { 5 }
    /// From the first field to the last.
    @inlinable public static var numbers: ClosedRange<UInt32> { 1...5 }
  }
  public enum Completion {
    @inlinable public static var rowsChanged: UInt32 { 1 }
    @inlinable public static var lastInsertRowid: UInt32 { 2 }
    @inlinable public static var commitSequence: UInt32 { 3 }
    @inlinable public static var transaction: UInt32 { 4 }
    @inlinable public static var shape: UInt32 { 5 }
    @inlinable public static var skipped: UInt32 { 6 }
    @inlinable public static var rowsReturned: UInt32 { 7 }
    /// From the first field to the last.
    @inlinable public static var numbers: ClosedRange<UInt32> { 1...7 }
  }
  public enum Error {
    @inlinable public static var code: UInt32 { 1 }
    @inlinable public static var reason: UInt32 { 2 }
    @inlinable public static var message: UInt32 { 3 }
    @inlinable public static var sqliteCode: UInt32 { 4 }
    @inlinable public static var path: UInt32 { 5 }
    @inlinable public static var constraint: UInt32 { 6 }
    @inlinable public static var table: UInt32 { 7 }
    @inlinable public static var column: UInt32 { 8 }
    @inlinable public static var retryable: UInt32 { 9 }
    @inlinable public static var outcomeUnknown: UInt32 { 10 }
    @inlinable public static var transaction: UInt32 { 11 }
    /// From the first field to the last.
    @inlinable public static var numbers: ClosedRange<UInt32> { 1...11 }
  }
  public enum Pong {
    @inlinable public static var payload: UInt32 { 1 }
    /// From the first field to the last.
    @inlinable public static var numbers: ClosedRange<UInt32> { 1...1 }
  }
  public enum TransactionEnded {
    @inlinable public static var transaction: UInt32 { 1 }
    @inlinable public static var error: UInt32 { 2 }
    @inlinable public static var ageMs: UInt32 { 3 }
    /// From the first field to the last.
    @inlinable public static var numbers: ClosedRange<UInt32> { 1...3 }
  }
  public enum Closing {
    @inlinable public static var message: UInt32 { 1 }
    /// From the first field to the last.
    @inlinable public static var numbers: ClosedRange<UInt32> { 1...1 }
  }
  public enum Inspection {
    @inlinable public static var counters: UInt32 { 1 }
    @inlinable public static var shapes: UInt32 { 2 }
    @inlinable public static var latencies: UInt32 { 3 }
    @inlinable public static var sessions: UInt32 { 4 }
    /// From the first field to the last.
    @inlinable public static var numbers: ClosedRange<UInt32> { 1...4 }
  }
  public enum Latencies {
    @inlinable public static var kind: UInt32 { 1 }
    @inlinable public static var boundsUs: UInt32 { 2 }
    @inlinable public static var counts: UInt32 { 3 }
    @inlinable public static var microseconds: UInt32 { 4 }
    /// From the first field to the last.
    @inlinable public static var numbers: ClosedRange<UInt32> { 1...4 }
  }
  public enum SessionInfo {
    @inlinable public static var id: UInt32 { 1 }
    @inlinable public static var peer: UInt32 { 2 }
    @inlinable public static var client: UInt32 { 3 }
    @inlinable public static var database: UInt32 { 4 }
    @inlinable public static var ageMs: UInt32 { 5 }
    @inlinable public static var requests: UInt32 { 6 }
    /// From the first field to the last.
    @inlinable public static var numbers: ClosedRange<UInt32> { 1...6 }
  }
  public enum Counter {
    @inlinable public static var name: UInt32 { 1 }
    @inlinable public static var value: UInt32 { 2 }
    /// From the first field to the last.
    @inlinable public static var numbers: ClosedRange<UInt32> { 1...2 }
  }
  public enum ShapeStatistics {
    @inlinable public static var shape: UInt32 { 1 }
    @inlinable public static var database: UInt32 { 2 }
    @inlinable public static var sql: UInt32 { 3 }
    @inlinable public static var executions: UInt32 { 4 }
    @inlinable public static var errors: UInt32 { 5 }
    @inlinable public static var rows: UInt32 { 6 }
    @inlinable public static var microseconds: UInt32 { 7 }
    /// From the first field to the last.
    @inlinable public static var numbers: ClosedRange<UInt32> { 1...7 }
  }
  public enum DatabaseList {
    @inlinable public static var databases: UInt32 { 1 }
    @inlinable public static var more: UInt32 { 2 }
    /// From the first field to the last.
    @inlinable public static var numbers: ClosedRange<UInt32> { 1...2 }
  }
  public enum DatabaseInfo {
    @inlinable public static var name: UInt32 { 1 }
    @inlinable public static var state: UInt32 { 2 }
    @inlinable public static var bytes: UInt32 { 3 }
    @inlinable public static var logBytes: UInt32 { 4 }
    @inlinable public static var sessions: UInt32 { 5 }
    /// From the first field to the last.
    @inlinable public static var numbers: ClosedRange<UInt32> { 1...5 }
  }
}
