/// What is said to a command of another shell that is none here.
///
/// Always true: a hint names what does the same, or says why there is nothing to do.
enum CommandHint {
  /// SQLite's commands that are not needed or called otherwise here.
  static let points: [String: String] = [
    ".archive": "martlet export copies a database into a file.",
    ".auth": "martlet serve --deny, and roles, say what clients may not do.",
    ".bail": "A script ends at its first error; martlet sql --keep-going goes on.",
    ".cd": "Paths are those of the folder in which martlet sql was started.",
    ".changes": "How many rows were changed stands under each statement (.timer on).",
    ".check": "martlet check URL checks a database while it is in use.",
    ".clone": ".backup FILE copies the database into a file.",
    ".dbinfo": ".databases shows the size; PRAGMA names the rest.",
    ".echo": "The terminal shows what was typed.",
    ".eqp": "EXPLAIN QUERY PLAN before a statement shows its plan.",
    ".dbtotxt": ".dump prints the database as SQL.",
    ".excel": ".mode csv and .once FILE write a file that spreadsheets open.",
    ".expert": "EXPLAIN QUERY PLAN before a statement shows which indexes it uses.",
    ".fullschema": ".schema shows the statements that made the tables.",
    ".intck": "martlet check URL checks a database while it is in use.",
    ".limit": "martlet serve --help lists the limits, which are the server's.",
    ".lint": ".columns TABLE shows foreign keys and indexes, and EXPLAIN QUERY PLAN which are used.",
    ".load": "Extensions are not loaded at a client's word.",
    ".log": "The server writes the log: martlet serve --help.",
    ".parameter": "Statements of a shell have no parameters. Write the value into the statement.",
    ".progress": "A query that takes longer than a second shows by itself how far it is.",
    ".prompt": "The prompt says whether a transaction is open, and stays as it is.",
    ".recover": ".backup FILE copies what can be read; martlet check URL tells what cannot.",
    ".restore": "martlet import URL FILE copies a file in.",
    ".separator": ".mode csv, .mode tsv and .mode list have a comma, a tab and a bar between values.",
    ".sha3sum": ".once FILE and .dump write all rows into a file, of which sha256sum makes a sum.",
    ".stats": "martlet status URL shows what the server does.",
    ".timeout": "Nobody waits for a lock here; a statement that takes too long is ended by its deadline.",
    ".trace": "martlet serve --slow-query-ms logs statements.",
    ".vacuum": "VACUUM; is a statement.",
  ]

  /// What is said to `exit` and its like where a statement goes on.
  static let withinStatement =
    "A statement was begun: a semicolon ends it, and Control-C drops it. Then exit leaves."

  /// What is said to a command where a statement goes on.
  static let commandWithinStatement =
    "A statement was begun, and commands stand before one or behind it: a semicolon ends it, and Control-C drops it."

  static let noTee = ".output FILE sends rows to a file, and .output alone to the terminal again."

  private static let noVariables = "There are no variables. Write the value into the statement."

  static let noUsers =
    "There are no users here, but roles: they stand in the server's configuration file, and martlet token gives one."

  /// The command of SQLite's that a word begins, if it begins no other one.
  static func point(begunBy word: String) -> String? {
    let begun = points.keys.filter { $0.hasPrefix(word) }
    return word.count > 2 && begun.count == 1 ? begun.first : nil
  }

  /// What does the same as a command of psql's.
  static func backslash(_ word: String) -> String {
    let bare = word.filter { $0 != ";" && $0 != "+" }
    if let hint = backslashes[bare] { return hint }
    if let same = same[bare] { return "\(same) is what \(bare) is elsewhere." }
    return "Commands begin with a point here: .tables, .schema, .help."
  }

  /// Commands of psql's that have one here. At a terminal they are understood as they stand.
  private static let same = [
    "\\!": ".shell COMMAND", "\\?": ".help", "\\a": ".mode list", "\\c": ".connect DATABASE",
    "\\connect": ".connect DATABASE", "\\conninfo": ".databases", "\\d": ".tables, or .columns TABLE,",
    "\\di": ".indexes", "\\dt": ".tables", "\\dv": ".views", "\\echo": ".print TEXT", "\\h": ".help",
    "\\i": ".read FILE", "\\ir": ".read FILE", "\\l": ".databases", "\\list": ".databases", "\\o": ".output FILE",
    "\\pset": ".nullvalue TEXT, .pager or .mode", "\\q": ".quit", "\\qecho": ".print TEXT", "\\timing": ".timer on",
    "\\x": ".mode line",
  ]

  /// psql's that have none.
  static let backslashes: [String: String] = [
    "\\C": "Results have no titles; .print TEXT prints one.",
    "\\G": "A semicolon runs the statement; .mode line prints a value a line.",
    "\\H": ".mode markdown is the nearest to HTML.",
    "\\T": ".mode markdown is the nearest to HTML.",
    "\\copy": ".import FILE TABLE copies a file in; .mode csv and .once FILE copy rows out.",
    "\\cd": "Paths are those of the folder in which martlet sql was started.",
    "\\db": "There are no tablespaces; a database is one file of the server.",
    "\\df": "The functions are SQLite's; a program or server in Swift adds its own.",
    "\\dg": noUsers,
    "\\dm": "SQLite has no materialized views; .views lists its views.",
    "\\dn": "A database has one schema; .databases lists the databases.",
    "\\dp": "Tables have no privileges here: martlet serve --deny, and roles, say what clients may not do.",
    "\\ds": "SQLite has no sequences; INTEGER PRIMARY KEY numbers rows by itself.",
    "\\du": noUsers,
    "\\e": "The arrow keys bring the last statement back as one line; .read FILE runs a file.",
    "\\dx": "Extensions are not loaded at a client's word.",
    "\\encoding": "Everything is UTF-8 here.",
    "\\f": ".mode csv, .mode tsv and .mode list have a comma, a tab and a bar between values.",
    "\\g": "A semicolon runs the statement; .once FILE before it sends its rows to a file.",
    "\\gset": noVariables,
    "\\gx": "A semicolon runs the statement; .mode line prints a value a line.",
    "\\p": "The arrow keys bring the last statement back.",
    "\\password": "There are no passwords here; tokens say who asks: martlet token.",
    "\\r": "Control-C drops the statement that was begun.",
    "\\s": "Control-R searches the history, which is in ~/.martlet_history.",
    "\\set": noVariables,
    "\\t": ".headers off leaves the names of the columns out.",
    "\\unset": noVariables,
    "\\w": ".output FILE sends rows to a file; the arrow keys bring the last statement back.",
    "\\watch": "No statement is repeated here; martlet status URL refreshes by itself.",
    "\\z": "Tables have no privileges here: martlet serve --deny, and roles, say what clients may not do.",
  ]
}
