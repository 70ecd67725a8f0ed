internal import Confinement
internal import Isolation

// The process of one tracker; started by a player, which gives it all that it uses.
TrackerProcess.run(TrackerProcess.Confinement(begin: { Confinement.begin($0) }, finish: Confinement.finish))
