import MartletValues

/// What is known of a job of the writer when it arrives.
struct WriteArrival {
  var company: WriteCompany
  var deadline: MonotonicTime
  var bytes = 0
  var setup = DatabaseSetup.empty.id
  var share = SessionShare(subject: 0, session: 0)
  var standing = WriteJudgement.Standing.unknown
  /// It changes the schema, or is likely to.
  var changesSchema = false
  /// It keeps the writer for as long as the database is large, and cannot give way.
  var isVacuum = false
}
