/// What is said to a command of another shell that is none here.
///
/// Always true: a hint names what does the same, or says why there is nothing to do.
enum CommandHint {
  /// SQLite's commands that are not needed or called otherwise here.
  static let points: [String: String] = [
    ".archive": "It is not there; martlet export copies a database into a file.",
    ".auth": "martlet serve --deny says what clients may not do.",
    ".bail": "A script ends at its first error; martlet sql --keep-going goes on.",
    ".cd": "Paths are those of the folder in which martlet sql was started.",
    ".changes": "How many rows were changed stands under each statement (.timer on).",
    ".check": "martlet check URL checks a database while it is in use.",
    ".clone": ".backup FILE copies the database into a file.",
    ".dbinfo": ".databases shows the size; PRAGMA names the rest.",
    ".echo": "It is not there; the terminal shows what was typed.",
    ".eqp": "EXPLAIN QUERY PLAN before a statement shows its plan.",
    ".excel": ".mode csv and .once FILE write a file that spreadsheets open.",
    ".fullschema": ".schema shows the statements that made the tables.",
    ".limit": "martlet serve --help lists the limits, which are the server's.",
    ".load": "Extensions are not loaded at a client's word.",
    ".log": "The server writes the log: martlet serve --help.",
    ".parameter": "It is not there. Write the value into the statement.",
    ".prompt": "The prompt says whether a transaction is open, and stays as it is.",
    ".recover": ".backup FILE copies what can be read; martlet check URL tells what cannot.",
    ".restore": "martlet import URL FILE copies a file in.",
    ".separator": ".mode csv, .mode tsv and .mode list have a comma, a tab and a bar between values.",
    ".stats": "martlet status URL shows what the server does.",
    ".timeout": "Nobody waits for a lock here; a statement that takes too long is ended by its deadline.",
    ".trace": "martlet serve --slow-query-ms logs statements.",
    ".vacuum": "VACUUM; is a statement.",
  ]

  /// psql's.
  static let backslashes: [String: String] = [
    "\\copy": ".import FILE TABLE copies a file in; .mode csv and .once FILE copy rows out.",
    "\\df": "The functions are SQLite's; a program or server in Swift adds its own.",
    "\\dn": "A database has one schema; .databases lists the databases.",
    "\\du": "There are no users here: martlet serve --deny says what clients may not do.",
    "\\e": "The arrow keys bring the last statement back as one line; .read FILE runs a file.",
    "\\g": "A semicolon runs the statement; .once FILE before it sends its rows to a file.",
    "\\s": "Control-R searches the history, which is in ~/.martlet_history.",
    "\\set": "There are no variables. Write the value into the statement.",
    "\\watch": "It is not there; martlet status URL refreshes by itself.",
  ]
}
