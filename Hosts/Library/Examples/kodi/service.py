"""A service of Kodi that tells Tally what the player does, as long as Kodi runs."""

import os

import tally
import xbmc
import xbmcaddon
import xbmcvfs
from tally_player import Player

INTERVAL_S = 0.25


def log(line):
    xbmc.log(f"tally: {line.message}", xbmc.LOGINFO)


folder = xbmcvfs.translatePath(xbmcaddon.Addon().getAddonInfo("profile"))
os.makedirs(folder, exist_ok=True)
# Which plugins run; without the file what is played is only recorded.
file = os.path.join(folder, "tally.json5")
configuration = file if os.path.exists(file) else None
with tally.open(configuration=configuration, archive=os.path.join(folder, "archives/"), log=log) as telemetry:
    with telemetry.run() as run:
        player, monitor = Player(run), xbmc.Monitor()
        while not monitor.waitForAbort(INTERVAL_S):
            player.sample()
            telemetry.poll()
        player.end()
