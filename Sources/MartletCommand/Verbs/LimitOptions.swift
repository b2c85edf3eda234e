import ArgumentParser

/// The options of `martlet serve` for limits.
///
/// Always true: each is a key of the table `limits` in a configuration file.
struct LimitOptions: ParsableArguments {
  @Option(help: help(.connectionsMax, "Connections at the same time.", "count"))
  var connectionsMax: Int?

  @Option(help: help(.helloDeadlineMs, "How long a new connection may take to say hello."))
  var helloDeadlineMs: Int?

  @Option(help: help(.deadlineMs, "The deadline of requests that name none."))
  var deadlineMs: Int?

  @Option(
    name: [.customLong("write-time-max"), .customLong("write-time-max-ms")],
    help: help(
      .writeTimeMaxMs,
      "The longest deadline that a write may name, below a read's because all writes of a database wait for one another. "
        + "It is never shorter than that of requests that name none."
    ))
  var writeTimeMaxMs: Int?

  @Option(help: help(.deadlineMaxMs, "The longest deadline that a request may name."))
  var deadlineMaxMs: Int?

  @Option(help: help(.drainMs, "How long what is in flight may take when the server ends."))
  var drainMs: Int?

  @Option(
    help: help(
      .walMib,
      "How much a database's write-ahead log may grow while one read keeps its snapshot, before that read ends.",
      "mib"))
  var walMib: Int?

  @Option(help: help(.transactionMs, "How long a transaction may stay open."))
  var transactionMs: Int?

  @Option(
    help: help(
      .pageCacheMib, "The page cache of each pooled reader and each writer, and at most a 64th of --memory.", "mib"))
  var pageCacheMib: Int?

  @Option(
    help: help(
      .temporaryMib,
      "What all statements together may have in temporary files, and at most half of what is free there at the start.",
      "mib"))
  var temporaryMib: Int?

  @Option(
    help: help(
      .schemaObjects, "Tables, indexes, views and triggers that a database may have before it takes no further one.",
      "count"))
  var schemaObjects: Int?

  /// The limits that were given.
  func settings() throws(InvalidOption) -> [LimitOption: Int] {
    let given: [(LimitOption, Int?)] = [
      (.connectionsMax, connectionsMax), (.helloDeadlineMs, helloDeadlineMs), (.deadlineMs, deadlineMs),
      (.writeTimeMaxMs, writeTimeMaxMs), (.deadlineMaxMs, deadlineMaxMs), (.drainMs, drainMs), (.walMib, walMib),
      (.transactionMs, transactionMs), (.pageCacheMib, pageCacheMib),
      (.temporaryMib, temporaryMib), (.schemaObjects, schemaObjects),
    ]
    var settings: [LimitOption: Int] = [:]
    for case (let option, let number?) in given {
      let name = option == .writeTimeMaxMs ? "--write-time-max" : "--" + option.rawValue
      settings[option] = try option.checked(number, name)
    }
    return settings
  }
}

private func help(_ option: LimitOption, _ text: String, _ valueName: String = "ms") -> ArgumentHelp {
  ArgumentHelp("\(text) (default: \(option.standard))", valueName: valueName)
}
