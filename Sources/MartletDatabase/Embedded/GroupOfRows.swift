import MartletQuery
import MartletSQLite
import MartletValues

/// The rows of one group, collected for an aggregate that is written in Swift.
///
/// Always true: the groups of a connection hold no more memory than its bound. They are collected because SQLite hands
/// rows out while the Swift function asks for them: without a second thread for each group, only one of the two can
/// wait for the other.
final class GroupOfRows<Function: AggregateDatabaseFunction>: AggregateState {
  private let function: Function
  private let memory: GroupMemory
  private var rows: [Function.Element] = []
  /// Rows at the front that a window has left behind.
  private var removed = 0
  /// What the rows take of the memory.
  private var bytes = 0

  init(_ function: Function, _ memory: GroupMemory) {
    self.function = function
    self.memory = memory
  }

  deinit { memory.give(back: bytes) }

  func step(_ arguments: FunctionArguments) throws {
    // An array that grows has about twice the room that it needs.
    let size = 2 * MemoryLayout<Function.Element>.stride + arguments.payloadBytes
    try memory.take(size, for: function.name)
    bytes += size
    var decoder = ArgumentDecoder(arguments)
    rows.append(try function.step(&decoder))
  }

  func removeFirst() {
    guard removed < rows.count else { return }
    // What this row took is not known any more, so it gives back what a row takes on average.
    let share = bytes / (rows.count - removed)
    memory.give(back: share)
    bytes -= share
    removed += 1
    if removed > 64, removed > rows.count / 2 {
      rows.removeFirst(removed)
      removed = 0
    }
  }

  func value() throws -> FunctionResult {
    // The whole array is not copied on its way into the function; a part of it would be.
    removed == 0 ? try FunctionResult(function.invoke(rows)) : try FunctionResult(function.invoke(rows[removed...]))
  }
}

/// What the groups of one connection may hold in memory.
///
/// Always true: only the thread that runs the connection's statement asks for it.
final class GroupMemory {
  private let bytesMax: Int
  private var bytes = 0

  init(bytesMax: Int) { self.bytesMax = bytesMax }

  func take(_ count: Int, for function: String) throws {
    guard count <= bytesMax - bytes else {
      throw RequestError.groupTooLarge(function: function, bytesMax: bytesMax)
    }
    bytes += count
  }

  func give(back count: Int) { bytes -= count }
}

extension FunctionArguments {
  /// The bytes of texts and blobs, which a decoded row has copied.
  fileprivate var payloadBytes: Int {
    var bytes = 0
    for index in 0..<count {
      switch self[index].type {
      case .text: bytes += self[index].textBytes.count
      case .blob: bytes += self[index].blobBytes.count
      case .null, .integer, .real: break
      }
    }
    return bytes
  }
}
