/// The replies of one commit, gathered so that each sink is called once.
///
/// Always true: the replies of one request keep their order; nothing leaves before `flush`.
struct ReplyRoster {
  private var sinks: [any ReplySink] = []
  private var replies: [[Reply]] = []

  mutating func add(_ reply: Reply, for sink: any ReplySink) {
    // There are about as many sinks as event loops, so looking at each is cheap.
    for index in sinks.indices where sinks[index] === sink {
      replies[index].append(reply)
      return
    }
    sinks.append(sink)
    replies.append([reply])
  }

  mutating func flush() {
    for index in sinks.indices where !replies[index].isEmpty {
      sinks[index].deliver(replies[index])
    }
    sinks.removeAll(keepingCapacity: true)
    replies.removeAll(keepingCapacity: true)
  }
}
