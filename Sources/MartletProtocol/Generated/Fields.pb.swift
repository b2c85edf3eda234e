// Made from rows.proto and session.proto by scripts/generate. Do not edit it.

/// The numbers of the fields of each message of the envelope.
package enum Fields {
  package enum Value {
    @inlinable package static var null: UInt32 { 1 }
    @inlinable package static var integer: UInt32 { 2 }
    @inlinable package static var real: UInt32 { 3 }
    @inlinable package static var text: UInt32 { 4 }
    @inlinable package static var blob: UInt32 { 5 }
    @inlinable package static var rows: UInt32 { 6 }
    @inlinable package static var reference: UInt32 { 7 }
    /// From the first field to the last.
    @inlinable package static var numbers: ClosedRange<UInt32> { 1...7 }
  }
  package enum StepReference {
    @inlinable package static var step: UInt32 { 1 }
    @inlinable package static var field: UInt32 { 2 }
    @inlinable package static var column: UInt32 { 3 }
    /// From the first field to the last.
    @inlinable package static var numbers: ClosedRange<UInt32> { 1...3 }
  }
  package enum ColumnValues {
    @inlinable package static var kind: UInt32 { 1 }
    @inlinable package static var nulls: UInt32 { 2 }
    @inlinable package static var integers: UInt32 { 3 }
    @inlinable package static var reals: UInt32 { 4 }
    @inlinable package static var ends: UInt32 { 5 }
    @inlinable package static var data: UInt32 { 6 }
    @inlinable package static var tags: UInt32 { 7 }
    /// From the first field to the last.
    @inlinable package static var numbers: ClosedRange<UInt32> { 1...7 }
  }
  package enum RowBatch {
    @inlinable package static var rowCount: UInt32 { 1 }
    @inlinable package static var columns: UInt32 { 2 }
    /// From the first field to the last.
    @inlinable package static var numbers: ClosedRange<UInt32> { 1...2 }
  }
  package enum ClientMessage {
    @inlinable package static var requestID: UInt32 { 1 }
    @inlinable package static var hello: UInt32 { 2 }
    @inlinable package static var execute: UInt32 { 3 }
    @inlinable package static var batch: UInt32 { 4 }
    @inlinable package static var begin: UInt32 { 5 }
    @inlinable package static var finish: UInt32 { 6 }
    @inlinable package static var savepoint: UInt32 { 7 }
    @inlinable package static var credit: UInt32 { 8 }
    @inlinable package static var cancel: UInt32 { 9 }
    @inlinable package static var ping: UInt32 { 10 }
    @inlinable package static var inspect: UInt32 { 11 }
    @inlinable package static var setup: UInt32 { 12 }
    @inlinable package static var maintain: UInt32 { 13 }
    @inlinable package static var administer: UInt32 { 14 }
    /// From the first field to the last.
    @inlinable package static var numbers: ClosedRange<UInt32> { 1...14 }
  }
  package enum Hello {
    @inlinable package static var `protocol`: UInt32 { 1 }
    @inlinable package static var database: UInt32 { 2 }
    @inlinable package static var client: UInt32 { 3 }
    @inlinable package static var create: UInt32 { 4 }
    @inlinable package static var setup: UInt32 { 5 }
    @inlinable package static var setupFollows: UInt32 { 6 }
    @inlinable package static var credential: UInt32 { 7 }
    /// From the first field to the last.
    @inlinable package static var numbers: ClosedRange<UInt32> { 1...7 }
  }
  package enum Setup {
    @inlinable package static var statements: UInt32 { 1 }
    /// From the first field to the last.
    @inlinable package static var numbers: ClosedRange<UInt32> { 1...1 }
  }
  package enum Execute {
    @inlinable package static var statement: UInt32 { 1 }
    @inlinable package static var shape: UInt32 { 2 }
    @inlinable package static var parameters: UInt32 { 3 }
    @inlinable package static var transaction: UInt32 { 4 }
    @inlinable package static var deadlineMs: UInt32 { 5 }
    @inlinable package static var credit: UInt32 { 6 }
    @inlinable package static var columnsVersion: UInt32 { 7 }
    @inlinable package static var deadlineMayShrink: UInt32 { 8 }
    @inlinable package static var required: UInt32 { 9 }
    /// From the first field to the last.
    @inlinable package static var numbers: ClosedRange<UInt32> { 1...9 }
  }
  package enum Batch {
    @inlinable package static var steps: UInt32 { 1 }
    @inlinable package static var atomic: UInt32 { 2 }
    @inlinable package static var transaction: UInt32 { 3 }
    @inlinable package static var deadlineMs: UInt32 { 4 }
    @inlinable package static var credit: UInt32 { 5 }
    @inlinable package static var deadlineMayShrink: UInt32 { 6 }
    /// From the first field to the last.
    @inlinable package static var numbers: ClosedRange<UInt32> { 1...6 }
  }
  package enum Step {
    @inlinable package static var statement: UInt32 { 1 }
    @inlinable package static var shape: UInt32 { 2 }
    @inlinable package static var parameters: UInt32 { 3 }
    @inlinable package static var columnsVersion: UInt32 { 4 }
    @inlinable package static var conditions: UInt32 { 5 }
    @inlinable package static var any: UInt32 { 6 }
    /// From the first field to the last.
    @inlinable package static var numbers: ClosedRange<UInt32> { 1...6 }
  }
  package enum Condition {
    @inlinable package static var step: UInt32 { 1 }
    @inlinable package static var outcome: UInt32 { 2 }
    @inlinable package static var negated: UInt32 { 3 }
    /// From the first field to the last.
    @inlinable package static var numbers: ClosedRange<UInt32> { 1...3 }
  }
  package enum Begin {
    @inlinable package static var mode: UInt32 { 1 }
    @inlinable package static var deadlineMs: UInt32 { 2 }
    /// From the first field to the last.
    @inlinable package static var numbers: ClosedRange<UInt32> { 1...2 }
  }
  package enum Finish {
    @inlinable package static var transaction: UInt32 { 1 }
    @inlinable package static var commit: UInt32 { 2 }
    @inlinable package static var required: UInt32 { 3 }
    /// From the first field to the last.
    @inlinable package static var numbers: ClosedRange<UInt32> { 1...3 }
  }
  package enum Savepoint {
    @inlinable package static var transaction: UInt32 { 1 }
    @inlinable package static var action: UInt32 { 2 }
    @inlinable package static var number: UInt32 { 3 }
    /// From the first field to the last.
    @inlinable package static var numbers: ClosedRange<UInt32> { 1...3 }
  }
  package enum Credit {
    @inlinable package static var bytes: UInt32 { 1 }
    /// From the first field to the last.
    @inlinable package static var numbers: ClosedRange<UInt32> { 1...1 }
  }
  package enum Cancel {
  }
  package enum Ping {
    @inlinable package static var payload: UInt32 { 1 }
    /// From the first field to the last.
    @inlinable package static var numbers: ClosedRange<UInt32> { 1...1 }
  }
  package enum Inspect {
    @inlinable package static var shapes: UInt32 { 1 }
    @inlinable package static var sessions: UInt32 { 2 }
    /// From the first field to the last.
    @inlinable package static var numbers: ClosedRange<UInt32> { 1...2 }
  }
  package enum Maintain {
    @inlinable package static var task: UInt32 { 1 }
    @inlinable package static var deadlineMs: UInt32 { 2 }
    @inlinable package static var credit: UInt32 { 3 }
    /// From the first field to the last.
    @inlinable package static var numbers: ClosedRange<UInt32> { 1...3 }
  }
  package enum Administer {
    @inlinable package static var task: UInt32 { 1 }
    @inlinable package static var database: UInt32 { 2 }
    @inlinable package static var newName: UInt32 { 3 }
    @inlinable package static var endSessions: UInt32 { 4 }
    /// From the first field to the last.
    @inlinable package static var numbers: ClosedRange<UInt32> { 1...4 }
  }
  package enum ServerMessage {
    @inlinable package static var requestID: UInt32 { 1 }
    @inlinable package static var step: UInt32 { 2 }
    @inlinable package static var hello: UInt32 { 3 }
    @inlinable package static var columns: UInt32 { 4 }
    @inlinable package static var rows: UInt32 { 5 }
    @inlinable package static var completion: UInt32 { 6 }
    @inlinable package static var error: UInt32 { 7 }
    @inlinable package static var pong: UInt32 { 8 }
    @inlinable package static var inspection: UInt32 { 9 }
    @inlinable package static var transactionEnded: UInt32 { 10 }
    @inlinable package static var closing: UInt32 { 11 }
    @inlinable package static var databases: UInt32 { 12 }
    /// From the first field to the last.
    @inlinable package static var numbers: ClosedRange<UInt32> { 1...12 }
  }
  package enum HelloReply {
    @inlinable package static var `protocol`: UInt32 { 1 }
    @inlinable package static var server: UInt32 { 2 }
    @inlinable package static var sqlite: UInt32 { 3 }
    @inlinable package static var frameBytesMax: UInt32 { 4 }
    @inlinable package static var requestsMax: UInt32 { 5 }
    @inlinable package static var creditBytesMax: UInt32 { 6 }
    @inlinable package static var creditBytesDefault: UInt32 { 7 }
    @inlinable package static var countsRequired: UInt32 { 8 }
    /// From the first field to the last.
    @inlinable package static var numbers: ClosedRange<UInt32> { 1...8 }
  }
  package enum Columns {
    @inlinable package static var version: UInt32 { 1 }
    @inlinable package static var columns: UInt32 { 2 }
    /// From the first field to the last.
    @inlinable package static var numbers: ClosedRange<UInt32> { 1...2 }
  }
  package enum ColumnInfo {
    @inlinable package static var name: UInt32 { 1 }
    @inlinable package static var declaredType: UInt32 { 2 }
    @inlinable package static var database: UInt32 { 3 }
    @inlinable package static var table: UInt32 { 4 }
    @inlinable package static var origin: UInt32 { 5 }
    /// From the first field to the last.
    @inlinable package static var numbers: ClosedRange<UInt32> { 1...5 }
  }
  package enum Completion {
    @inlinable package static var rowsChanged: UInt32 { 1 }
    @inlinable package static var lastInsertRowid: UInt32 { 2 }
    @inlinable package static var commitSequence: UInt32 { 3 }
    @inlinable package static var transaction: UInt32 { 4 }
    @inlinable package static var shape: UInt32 { 5 }
    @inlinable package static var skipped: UInt32 { 6 }
    @inlinable package static var rowsReturned: UInt32 { 7 }
    /// From the first field to the last.
    @inlinable package static var numbers: ClosedRange<UInt32> { 1...7 }
  }
  package enum Error {
    @inlinable package static var code: UInt32 { 1 }
    @inlinable package static var reason: UInt32 { 2 }
    @inlinable package static var message: UInt32 { 3 }
    @inlinable package static var sqliteCode: UInt32 { 4 }
    @inlinable package static var path: UInt32 { 5 }
    @inlinable package static var constraint: UInt32 { 6 }
    @inlinable package static var table: UInt32 { 7 }
    @inlinable package static var column: UInt32 { 8 }
    @inlinable package static var retryable: UInt32 { 9 }
    @inlinable package static var outcomeUnknown: UInt32 { 10 }
    @inlinable package static var transaction: UInt32 { 11 }
    /// From the first field to the last.
    @inlinable package static var numbers: ClosedRange<UInt32> { 1...11 }
  }
  package enum Pong {
    @inlinable package static var payload: UInt32 { 1 }
    /// From the first field to the last.
    @inlinable package static var numbers: ClosedRange<UInt32> { 1...1 }
  }
  package enum TransactionEnded {
    @inlinable package static var transaction: UInt32 { 1 }
    @inlinable package static var error: UInt32 { 2 }
    @inlinable package static var ageMs: UInt32 { 3 }
    /// From the first field to the last.
    @inlinable package static var numbers: ClosedRange<UInt32> { 1...3 }
  }
  package enum Closing {
    @inlinable package static var message: UInt32 { 1 }
    /// From the first field to the last.
    @inlinable package static var numbers: ClosedRange<UInt32> { 1...1 }
  }
  package enum Inspection {
    @inlinable package static var counters: UInt32 { 1 }
    @inlinable package static var shapes: UInt32 { 2 }
    @inlinable package static var latencies: UInt32 { 3 }
    @inlinable package static var sessions: UInt32 { 4 }
    /// From the first field to the last.
    @inlinable package static var numbers: ClosedRange<UInt32> { 1...4 }
  }
  package enum Latencies {
    @inlinable package static var kind: UInt32 { 1 }
    @inlinable package static var boundsUs: UInt32 { 2 }
    @inlinable package static var counts: UInt32 { 3 }
    @inlinable package static var microseconds: UInt32 { 4 }
    /// From the first field to the last.
    @inlinable package static var numbers: ClosedRange<UInt32> { 1...4 }
  }
  package enum SessionInfo {
    @inlinable package static var id: UInt32 { 1 }
    @inlinable package static var peer: UInt32 { 2 }
    @inlinable package static var client: UInt32 { 3 }
    @inlinable package static var database: UInt32 { 4 }
    @inlinable package static var ageMs: UInt32 { 5 }
    @inlinable package static var requests: UInt32 { 6 }
    /// From the first field to the last.
    @inlinable package static var numbers: ClosedRange<UInt32> { 1...6 }
  }
  package enum Counter {
    @inlinable package static var name: UInt32 { 1 }
    @inlinable package static var value: UInt32 { 2 }
    /// From the first field to the last.
    @inlinable package static var numbers: ClosedRange<UInt32> { 1...2 }
  }
  package enum ShapeStatistics {
    @inlinable package static var shape: UInt32 { 1 }
    @inlinable package static var database: UInt32 { 2 }
    @inlinable package static var sql: UInt32 { 3 }
    @inlinable package static var executions: UInt32 { 4 }
    @inlinable package static var errors: UInt32 { 5 }
    @inlinable package static var rows: UInt32 { 6 }
    @inlinable package static var microseconds: UInt32 { 7 }
    /// From the first field to the last.
    @inlinable package static var numbers: ClosedRange<UInt32> { 1...7 }
  }
  package enum DatabaseList {
    @inlinable package static var databases: UInt32 { 1 }
    @inlinable package static var more: UInt32 { 2 }
    /// From the first field to the last.
    @inlinable package static var numbers: ClosedRange<UInt32> { 1...2 }
  }
  package enum DatabaseInfo {
    @inlinable package static var name: UInt32 { 1 }
    @inlinable package static var state: UInt32 { 2 }
    @inlinable package static var bytes: UInt32 { 3 }
    @inlinable package static var logBytes: UInt32 { 4 }
    @inlinable package static var sessions: UInt32 { 5 }
    /// From the first field to the last.
    @inlinable package static var numbers: ClosedRange<UInt32> { 1...5 }
  }
}
