/// Memory that the outputs of one loop's connections lend each other. An answer of many rows needs some for a moment
/// only, and what comes from the system anew each time has to be cleared first.
///
/// Always true: it keeps no more than `WireLimits.spareOutputsMax` blocks, none larger than `spareOutputBytesMax`;
/// what no output took between two calls of `tick` is freed.
// Not Sendable: it belongs to one loop.
package final class SpareOutput {
  private var blocks: [UnsafeMutableRawBufferPointer] = []
  /// The fewest blocks that were here since the last tick: so many nobody needed.
  private var idle = 0

  package init() {}

  deinit { removeAll() }

  var count: Int { blocks.count }

  /// The smallest block of at least `bytes`; nil if none is here. The caller owns it.
  func take(bytes: Int) -> UnsafeMutableRawBufferPointer? {
    let fitting = blocks.indices.filter { blocks[$0].count >= bytes }
    guard let index = fitting.min(by: { blocks[$0].count < blocks[$1].count }) else { return nil }
    let block = blocks.remove(at: index)
    idle = min(idle, blocks.count)
    return block
  }

  /// Keeps the block for the next output, or frees it. The caller does not use it any more.
  func giveBack(_ block: UnsafeMutableRawBufferPointer) {
    if blocks.count < WireLimits.spareOutputsMax, block.count <= WireLimits.spareOutputBytesMax {
      blocks.append(block)
    } else {
      block.deallocate()
    }
  }

  /// Memory is short: frees all.
  package func removeAll() {
    for block in blocks { block.deallocate() }
    blocks.removeAll()
    idle = 0
  }

  /// Called from time to time: frees what nobody needed since the last call.
  package func tick() {
    for _ in 0..<idle { blocks.removeFirst().deallocate() }
    idle = blocks.count
  }
}
