/// Opens the states in which a loss of power may leave a disk, and judges each by a model.
///
/// Always true: the same log, model, number of states and seed give the same report.
import Foundation

package struct PowerLossReport: Sendable {
  /// States that were opened.
  package private(set) var states = 0
  /// Entries of the log, and those at which at least one state was opened.
  package private(set) var boundaries = 0
  package private(set) var boundariesOpened = 0
  package private(set) var lost = 0
  package private(set) var partial = 0
  package private(set) var risen = 0
  package private(set) var disordered = 0
  package private(set) var damaged = 0
  /// The first of what was wrong, with its place.
  package private(set) var examples: [String] = []

  package var isClean: Bool { lost + partial + risen + disordered + damaged == 0 }

  package var summary: String {
    "\(states) states at \(boundariesOpened) of \(boundaries) boundaries: lost \(lost), partial \(partial), "
      + "risen \(risen), disordered \(disordered), damaged \(damaged)"
  }

  private mutating func note(_ wrong: [LoadModel.Wrong], _ place: String) {
    for wrong in wrong {
      switch wrong {
      case .lost: lost += 1
      case .partial: partial += 1
      case .risen: risen += 1
      case .disordered: disordered += 1
      case .damaged: damaged += 1
      }
      if examples.count < 10 { examples.append("\(place): \(wrong)") }
    }
  }

  /// Opens about `states` states of a log, spread over all its entries. `database` is the database file's name.
  ///
  /// `alsoOpen` is called with a second copy of every fourth state, and says what it has to complain about.
  package init(
    log: DiskLog, model: LoadModel, database: String, states wanted: Int, seed: UInt64,
    alsoOpen: ((_ path: String) -> LoadModel.Finding)? = nil
  ) {
    var random = SeededGenerator(seed: seed)
    var replay = DiskReplay(log)
    boundaries = log.entries.count
    // What the states are opened in; a directory of memory, if there is one, since a sync there costs nothing.
    let directory = TemporaryDirectory(name: "martlet-power-loss")
    var open = Self.boundariesWithPending(log)
    var kind = 0
    while !replay.isAtEnd {
      replay.advance()
      let isWorth = replay.hasPending || replay.isAtEnd
      // What is left of the states is spread over what is left of the boundaries.
      let share = Double(wanted - states) / Double(max(1, open))
      if isWorth { open -= 1 }
      let isOneMore = Double.random(in: 0..<1, using: &random) < share - share.rounded(.down)
      let count = isWorth ? max(0, Int(share)) + (isOneMore ? 1 : 0) : 0
      if count > 0 { boundariesOpened += 1 }
      for _ in 0..<count {
        let loss = DiskReplay.Loss.allCases[kind % DiskReplay.Loss.allCases.count]
        kind += 1
        let image = replay.image(loss, using: &random)
        judge(
          image, of: model, acknowledged: replay.acknowledged, database: database, in: directory.path,
          place: "entry \(replay.position), \(loss)", alsoOpen: states % 4 == 3 ? alsoOpen : nil)
        states += 1
      }
    }
  }

  private static func boundariesWithPending(_ log: DiskLog) -> Int {
    var replay = DiskReplay(log)
    var count = 0
    while !replay.isAtEnd {
      replay.advance()
      if replay.hasPending || replay.isAtEnd { count += 1 }
    }
    return count
  }

  private mutating func judge(
    _ image: DiskImage, of model: LoadModel, acknowledged: Set<Int>, database: String, in directory: String,
    place: String, alsoOpen: ((String) -> LoadModel.Finding)?
  ) {
    let path = "\(directory)/\(database)"
    image.write(to: directory)
    note(model.judge(StockDatabase.finding(at: path), acknowledged: acknowledged), place)
    // A machine that came back goes on: what recovery left takes a write, and is whole when it is opened again.
    let complaints = Self.writeOnce(path)
    note(complaints.map { .damaged($0) }, "\(place), after a write")
    if let alsoOpen {
      image.write(to: directory)
      note(model.judge(alsoOpen(path), acknowledged: acknowledged), "\(place), opened by Martlet")
    }
  }

  private static func writeOnce(_ path: String) -> [String] {
    do {
      let write = "PRAGMA synchronous=OFF; CREATE TABLE afterwards(a); INSERT INTO afterwards VALUES (1)"
      try StockDatabase(path).run(write)
      let found = try StockDatabase(path).run("PRAGMA quick_check; SELECT a FROM afterwards").map { $0[0] }
      return found == ["ok", "1"] ? [] : found
    } catch {
      return ["\(error)"]
    }
  }
}

extension DiskImage {
  /// Puts the files, and nothing else, into a directory.
  package func write(to directory: String) {
    for old in (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? [] {
      try? FileManager.default.removeItem(atPath: "\(directory)/\(old)")
    }
    for (name, bytes) in files {
      _ = FileManager.default.createFile(atPath: "\(directory)/\(name)", contents: Data(bytes))
    }
  }
}
