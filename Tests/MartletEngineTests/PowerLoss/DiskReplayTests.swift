/// The replayer's own rules, as scripts: what is in every state, what may be missing, and what counts as wrong.
import MartletTestSupport
import Testing

@Suite struct DiskReplayTests {
  private func played(_ entries: [DiskLog.Entry], upTo count: Int? = nil) -> DiskReplay {
    var replay = DiskReplay(DiskLog(entries))
    for _ in 0..<(count ?? entries.count) { replay.advance() }
    return replay
  }

  private func image(_ replay: DiskReplay, _ loss: DiskReplay.Loss, seed: UInt64 = 1) -> [UInt8]? {
    var random = SeededGenerator(seed: seed)
    return replay.image(loss, using: &random).files["f"]
  }

  private let page = [UInt8](repeating: 1, count: 4096)

  @Test func `what was synced is in every state`() {
    let replay = played([
      .created(file: 1, name: "f"), .wrote(file: 1, offset: 0, bytes: page), .synced(file: 1), .directorySynced,
    ])
    #expect(!replay.hasPending)
    for loss in DiskReplay.Loss.allCases {
      for seed in 0..<20 as Range<UInt64> { #expect(image(replay, loss, seed: seed) == page, "\(loss)") }
    }
  }

  @Test func `what was not synced is there, or not, or in part, by sectors`() {
    let old = [UInt8](repeating: 9, count: 8192)
    let replay = played([
      .found(file: 1, name: "f", bytes: old), .wrote(file: 1, offset: 0, bytes: page + page),
    ])
    #expect(replay.hasPending)
    #expect(image(replay, .nothingLost) == page + page && image(replay, .onlySynced) == old)
    let cases: [(DiskReplay.Loss, Int)] = [
      (.sectors512, 512), (.sectors4096, 4096), (.torn512, 512), (.torn4096, 4096), (.sectors512Short, 512),
    ]
    for (loss, sector) in cases {
      var states: Set<[UInt8]> = []
      for seed in 0..<200 as Range<UInt64> {
        let bytes = image(replay, loss, seed: seed) ?? []
        states.insert(bytes)
        for start in stride(from: 0, to: bytes.count, by: sector) {
          #expect(Set(bytes[start..<start + sector]).count == 1, "A sector is old or new, never both.")
        }
      }
      #expect(states.count > 2, "\(loss)")
    }
  }

  @Test func `a torn write stops everything after it`() {
    let replay = played([
      .found(file: 1, name: "f", bytes: []), .wrote(file: 1, offset: 0, bytes: [1]),
      .wrote(file: 1, offset: 600, bytes: [2]), .wrote(file: 1, offset: 1_200, bytes: [3]),
    ])
    for seed in 0..<100 as Range<UInt64> {
      let bytes = image(replay, .torn512, seed: seed) ?? []
      if bytes.count > 1_200 { #expect(bytes[600] == 2) }
      if bytes.count > 600 { #expect(bytes[0] == 1) }
    }
  }

  @Test func `a length and a truncation may lag`() {
    let grown = played([.found(file: 1, name: "f", bytes: [7]), .wrote(file: 1, offset: 4096, bytes: page)])
    #expect(image(grown, .sectors512Short) == [7])
    #expect(image(grown, .sectors512)?.count == 8192)
    let cut = played([.found(file: 1, name: "f", bytes: page), .truncated(file: 1, size: 10)])
    #expect(image(cut, .nothingLost)?.count == 10 && image(cut, .onlySynced)?.count == 4096)
  }

  @Test func `a file that was made or deleted is there once the directory was synced`() {
    let made = played([.created(file: 1, name: "f"), .wrote(file: 1, offset: 0, bytes: [1]), .synced(file: 1)])
    #expect(image(made, .staleDirectory) == nil && image(made, .nothingLost) == [1])
    let deleted: [DiskLog.Entry] = [.found(file: 1, name: "f", bytes: [1]), .deleted(name: "f")]
    #expect(image(played(deleted), .staleDirectory) == [1] && image(played(deleted), .nothingLost) == nil)
    #expect(image(played(deleted + [.directorySynced]), .staleDirectory) == nil)
  }

  @Test func `what a failed sync was for is never durable by a later one, unless it was written again`() {
    let log: [DiskLog.Entry] = [
      .found(file: 1, name: "f", bytes: [0, 0, 0]), .wrote(file: 1, offset: 0, bytes: [1]),
      .wrote(file: 1, offset: 1, bytes: [1]), .syncFailed(file: 1), .wrote(file: 1, offset: 1, bytes: [2]),
      .wrote(file: 1, offset: 2, bytes: [3]), .synced(file: 1),
    ]
    #expect(image(played(log), .onlySynced) == [0, 2, 3] && image(played(log), .nothingLost) == [1, 2, 3])
    #expect(image(played(log, upTo: 4), .onlySynced) == [0, 0, 0])
  }

  @Test func `early acknowledgements stand before the sync that they waited for`() {
    let log = DiskLog([
      .wrote(file: 1, offset: 0, bytes: [1]), .synced(file: 1), .acknowledged(unit: 1), .acknowledged(unit: 2),
    ])
    let early = log.withEarlyAcknowledgements.entries
    #expect(early.last == .acknowledged(unit: 2) || early.last == .synced(file: 1))
    #expect(early[1] == .acknowledged(unit: 1))
  }

  @Test func `the model tells what is lost, partial, risen and out of order`() {
    var model = LoadModel()
    for unit in 1...5 { model.started(unit, rows: 2) }
    model.ended(1, .committed(sequence: 1))
    model.ended(2, .committed(sequence: 2))
    model.ended(3, .committed(sequence: 2))
    model.ended(4, .failed)
    func wrong(_ rows: [Int: Int], _ acknowledged: Set<Int>) -> [LoadModel.Wrong] {
      var finding = LoadModel.Finding()
      finding.rows = rows
      return model.judge(finding, acknowledged: acknowledged)
    }
    let cases: [([Int: Int], Set<Int>, [LoadModel.Wrong])] = [
      ([:], [], []),
      ([1: 2, 2: 2, 3: 2], [1, 2, 3], []),
      ([1: 2, 2: 2, 3: 2, 5: 2], [1], []),
      ([:], [1], [.lost(unit: 1)]),
      ([1: 1], [], [.partial(unit: 1)]),
      ([4: 2], [], [.risen(unit: 4)]),
      ([9: 1], [], [.risen(unit: 9)]),
      ([2: 2, 3: 2], [], [.disordered(unit: 1)]),
      ([1: 2, 2: 2], [], [.disordered(unit: 3)]),
    ]
    for (rows, acknowledged, expected) in cases { #expect(wrong(rows, acknowledged) == expected, "\(rows)") }
  }
}
