/// The order of things in a read transaction, as scripts.
import Testing

@testable import MartletEngine

extension ReadTransactionFlow.Action where Item == String {
  /// The action in a word, for comparison.
  var word: String {
    switch self {
    case .none: "none"
    case .open: "open"
    case .start(let item): "start \(item)"
    case .refuse: "refuse"
    case .interrupt: "interrupt"
    case .close: "close"
    case .withdraw: "withdraw"
    case .giveBack: "give back"
    }
  }
}

@Suite struct ReadTransactionFlowTests {
  @Test func `items run one at a time in the order in which they came`() {
    var flow = ReadTransactionFlow<String>(itemsMax: 3)
    #expect(flow.arrived("a").word == "none")
    #expect(flow.leased().word == "open")
    #expect(flow.arrived("b").word == "none")
    #expect(flow.opened().word == "start a")
    #expect(flow.arrived("c").word == "none")
    #expect(flow.itemEnded().word == "start b")
    #expect(flow.itemEnded().word == "start c")
    #expect(flow.itemEnded().word == "none")
    #expect(flow.state == .idle)
    #expect(flow.arrived("d").word == "start d")
  }

  @Test func `too many that wait are refused`() {
    var flow = ReadTransactionFlow<String>(itemsMax: 2)
    let words = ["a", "b", "c"].map { flow.arrived($0).word }
    #expect(words == ["none", "none", "refuse"])
  }

  @Test func `a stop drops what waits, and closes when what runs has ended`() {
    var busy = ReadTransactionFlow<String>(itemsMax: 9)
    _ = busy.leased()
    _ = busy.opened()
    _ = busy.arrived("a")
    _ = busy.arrived("b")
    let stop = busy.stopped()
    #expect(stop.action.word == "interrupt")
    #expect(stop.dropped == ["b"])
    #expect(busy.arrived("c").word == "refuse")
    #expect(busy.stopped().action.word == "none")
    #expect(busy.itemEnded().word == "close")

    var idle = ReadTransactionFlow<String>(itemsMax: 9)
    _ = idle.leased()
    _ = idle.opened()
    #expect(idle.stopped().action.word == "close")

    var waiting = ReadTransactionFlow<String>(itemsMax: 9)
    #expect(waiting.stopped().action.word == "withdraw")
    #expect(waiting.leased().word == "give back")

    var opening = ReadTransactionFlow<String>(itemsMax: 9)
    _ = opening.leased()
    #expect(opening.stopped().action.word == "interrupt")
    #expect(opening.opened().word == "close")
  }

  @Test func `a cancelled begin ends what has not begun, and nothing once the snapshot is taken`() {
    var waiting = ReadTransactionFlow<String>(itemsMax: 9)
    _ = waiting.arrived("a")
    let cancelled = waiting.beginCancelled()
    #expect(cancelled.action.word == "withdraw")
    #expect(cancelled.dropped == ["a"])

    var opening = ReadTransactionFlow<String>(itemsMax: 9)
    _ = opening.leased()
    #expect(opening.beginCancelled().action.word == "interrupt")
    // The begin fails: nothing may say that it succeeded.
    let neverBegan = opening.snapshotTaken()
    #expect(neverBegan == false)
    #expect(opening.opened().word == "close")

    var begun = ReadTransactionFlow<String>(itemsMax: 9)
    _ = begun.leased()
    _ = begun.arrived("a")
    let hasBegun = begun.snapshotTaken()
    #expect(hasBegun)
    // The answer is on its way, the transaction is not idle yet.
    #expect(begun.beginCancelled().action.word == "none")
    #expect(begun.opened().word == "start a")
    #expect(begun.beginCancelled().action.word == "none")
    #expect(begun.itemEnded().word == "none")
    #expect(!begun.isOver)
  }

  @Test func `the owner's end is the last item`() {
    var flow = ReadTransactionFlow<String>(itemsMax: 9)
    _ = flow.leased()
    _ = flow.opened()
    #expect(flow.arrived("finish").word == "start finish")
    _ = flow.arrived("late")
    #expect(flow.finished() == ["late"])
    #expect(flow.isOver)
    #expect(flow.arrived("later").word == "refuse")
    #expect(flow.itemEnded().word == "none")
  }
}
