internal import Confinement
internal import Isolation

// The process of one tracker or reporter; started by a player, which gives it all that it uses.
let confinement = ProcessConfinement(begin: Confinement.begin, finish: Confinement.finish)
ReporterProcess.runIfOrdered(confinement)
TrackerProcess.run(confinement)
