import com.sun.jna.Pointer;
import com.sun.jna.StringArray;

/** A player without a picture: it keeps the time of one, and tells Tally what a player has to tell. */
public final class Player {
    private static final long STEP_MS = 250;
    private static final long DURATION_MS = 8000;

    private final Pointer run;
    private long position;

    private Player(Pointer run) { this.run = run; }

    /** Attributes are names and values in turn; those of an array have to lie side by side. */
    private static Tally.Attribute[] attributes(Object... pairs) {
        Tally.Attribute[] attributes = (Tally.Attribute[]) new Tally.Attribute().toArray(pairs.length / 2);
        for (int i = 0; i < attributes.length; i++) attributes[i].set((String) pairs[2 * i], pairs[2 * i + 1]);
        return attributes;
    }

    private void track(String event, Object... pairs) {
        if (pairs.length == 0) Tally.C.tally_track(run, event, null, 0);
        else Tally.C.tally_track(run, event, attributes(pairs), pairs.length / 2);
    }

    /** Moves without playing: the next track call says where to. */
    private void standAt(long place) {
        Tally.PlayerState state = new Tally.PlayerState();
        state.known = Tally.HAS_PLAYHEAD | Tally.HAS_DURATION;
        state.playhead = position = place;
        state.duration = DURATION_MS;
        Tally.C.tally_run_set_state(run, state);
    }

    /** Samples are told only while playback goes on: a playhead that stands needs none. */
    private void playUntil(long end) throws InterruptedException {
        while (position < end) {
            Thread.sleep(STEP_MS);
            position += STEP_MS;
            Tally.C.tally_track_playhead(run, position);
        }
    }

    /** Quality goes with every event but playhead samples; frames are totals of the session, which never fall. */
    private void tellQuality(long rendered, long dropped) {
        Tally.PlayerState state = new Tally.PlayerState();
        state.known = Tally.HAS_BITRATE | Tally.HAS_RENDERED | Tally.HAS_DROPPED;
        state.bitrate = 3_000_000;
        state.rendered = rendered;
        state.dropped = dropped;
        Tally.C.tally_run_set_state(run, state);
        track("quality_sample");
    }

    private void play() throws InterruptedException {
        Tally.Attribute[] video = attributes("video_id", "film-1", "video_name", "A film", "stream_type", "vod",
            "player_name", "Example", "autoplay", true);
        Tally.C.tally_run_set_info(run, Tally.SUBJECT_VIDEO, video, video.length);
        standAt(0);
        track("video_load");
        track("play");
        track("buffer_start", "buffer_cause", "initial");
        Thread.sleep(300);
        track("buffer_complete");
        track("first_frame");
        playUntil(2000);
        track("pause");
        Thread.sleep(1000);
        track("play");
        playUntil(3000);
        track("seek_start", "seek_from_ms", position, "seek_to_ms", 5000L);
        standAt(5000);
        track("seek_complete");
        playUntil(6000);
        track("buffer_start", "buffer_cause", "stall");
        Thread.sleep(700);
        track("buffer_complete");
        track("player_error", "error_id", "subtitle-missing", "error_fatal", false);
        playUntil(DURATION_MS);
        tellQuality(148, 2);
        track("complete");
        track("video_unload");
    }

    /** Arguments: PLUGIN-FOLDER ARCHIVE-FOLDER OUTPUTS-FILE. */
    public static void main(String[] arguments) throws InterruptedException {
        Tally.Options options = new Tally.Options();
        options.plugins = "new-relic-video,jsonlines";
        // Held here, since what Java does not hold is collected, whoever else points to it.
        StringArray folders = new StringArray(new String[] {arguments[0]}, Tally.UTF8);
        String path = "plugins.jsonlines.config.path=" + arguments[2];
        StringArray settings = new StringArray(new String[] {path}, Tally.UTF8);
        options.pluginFolders = folders;
        options.settings = settings;
        options.pluginFolderCount = options.settingCount = 1;
        options.archive = arguments[1] + "/";
        Tally.Error error = new Tally.Error();
        Pointer telemetry = Tally.C.tally_open(options, error);
        Pointer run = telemetry == null ? null : Tally.C.tally_run_start(telemetry, null, error);
        if (run == null) {
            System.err.println("Player: " + error);
            System.exit(error.code);
        }
        new Player(run).play();
        Tally.C.tally_run_free(run);

        Tally.Report report = new Tally.Report();
        while (Tally.C.tally_next_report(telemetry, report) != 0)
            if (report.kind == Tally.REPORT_SESSION)
                System.out.printf("session %d: delivered %d%n", report.session, report.delivered);
            else if (report.message != null) System.err.println("Player: " + report.message.getString(0, Tally.UTF8));
        Tally.C.tally_close(telemetry, 5000);
    }
}
