"""What Kodi says of its player, told to a run of Tally.

Kodi calls the player's methods on the thread of the script, while that waits: no two of them run at once.
"""

import os

import xbmc
from place import Place

END_MS = 1000


class Player(xbmc.Player):
    def __init__(self, run):
        super().__init__()
        self.run = run
        self.clear()

    def clear(self):
        self.is_loaded = self.is_ready = self.has_begun = False
        self.is_paused = self.is_waiting = self.is_seeking = False
        self.place, self.url, self.duration_ms = Place(), None, None

    def look(self):
        """Where playback stands. The last place stays when Kodi plays nothing any more, or the next file already."""
        if self.isPlaying() and self.getPlayingFile() == self.url:
            is_held = self.is_paused or self.is_waiting or self.is_seeking
            self.place.update(max(0, round(self.getTime() * 1000)), self.has_begun and not is_held)
            self.duration_ms = round(self.getTotalTime() * 1000) or (-1 if self.is_ready else None)
        self.run.state(playhead_ms=self.place.ms, duration_ms=self.duration_ms)

    def describe(self, **more):
        self.run.info("video", video_id=self.url and os.path.basename(self.url), video_url=self.url, player_name="Kodi",
                      player_version=xbmc.getInfoLabel("System.BuildVersionShort"), **more)

    def set_waiting(self, is_waiting, cause=None):
        if is_waiting and not self.is_waiting:
            self.run.buffering(cause)
        elif self.is_waiting and not is_waiting:
            self.run.buffered()
        self.is_waiting = is_waiting

    def sample(self):
        # Before the streams are there Kodi says times that fall again.
        if not self.is_ready:
            return
        is_waiting, before_ms = xbmc.getCondVisibility("Player.Caching"), self.place.ms
        self.look()
        if not self.has_begun:
            if is_waiting or self.place.ms <= before_ms:
                return
            self.set_waiting(False)
            self.run.first_frame()
            self.has_begun = True
        self.set_waiting(is_waiting, "seek" if self.is_seeking else "stall")
        if self.is_seeking and not is_waiting:
            self.run.seeked()
            self.is_seeking = False
        if not is_waiting and not self.is_paused:
            self.run.playhead(self.place.ms)

    def end(self, error=None):
        if self.is_loaded and error:
            self.run.error("kodi", message=error, fatal=True)
        if self.is_loaded:
            self.run.unload()
        self.clear()

    def onPlayBackStarted(self):
        # Another file may take the place of one that plays, and no end of that is told.
        self.end()
        self.is_loaded = True
        is_open = self.isPlaying()
        self.url = self.getPlayingFile() if is_open else None
        self.describe()
        # Until the streams are there Kodi may say the times of the file before.
        self.run.forget("playhead_ms", "duration_ms")
        self.run.load()
        self.run.play()
        self.set_waiting(True, "initial")
        # A file that cannot be opened is told as one that starts and stops, and onPlayBackError stays away.
        if not is_open:
            self.end("the file could not be opened")

    def onAVStarted(self):
        self.is_ready = True
        self.look()
        title = self.getVideoInfoTag().getTitle() if self.isPlayingVideo() else None
        self.describe(video_name=title or None, stream_type="live" if self.duration_ms == -1 else "vod")
        self.run.metadata()

    def onPlayBackPaused(self):
        self.look()
        self.is_paused = True
        self.run.pause()

    def onPlayBackResumed(self):
        # Kodi says it as well where nothing was paused, as the next file begins.
        if self.is_paused:
            self.look()
            self.is_paused = False
            self.run.play()

    def onPlayBackSeek(self, time, seekOffset):
        self.run.seek(self.place.ms, time)
        self.is_seeking = True

    def onPlayBackEnded(self):
        # A connection that breaks ends like a film that is over: only the place tells them apart.
        if self.place.ms < (self.duration_ms or 0) - END_MS:
            return self.end("the media ended before its duration")
        self.run.complete()
        self.end()

    def onPlayBackStopped(self):
        self.end()

    def onPlayBackError(self):
        self.end("playback failed")
