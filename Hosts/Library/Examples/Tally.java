import com.sun.jna.Library;
import com.sun.jna.Native;
import com.sun.jna.Pointer;
import com.sun.jna.Structure;
import com.sun.jna.Union;
import java.util.Map;

/** What of tally.h this example uses, as JNA maps it: structures by their layout, functions by their names. */
public interface Tally extends Library {
    String UTF8 = "UTF-8";
    Tally C = Native.load("libtally.so.1", Tally.class, Map.of(OPTION_STRING_ENCODING, UTF8));

    int HAS_PLAYHEAD = 1 << 0, HAS_DURATION = 1 << 2, HAS_BITRATE = 1 << 4, HAS_DROPPED = 1 << 6, HAS_RENDERED = 1 << 7;
    int SUBJECT_VIDEO = 0;
    int REPORT_SESSION = 1;

    /** Begins with its size, by which the library knows what this program was built for. */
    abstract class Sized extends Structure {
        public int size;

        void measure() { size = size(); }
    }

    @Structure.FieldOrder({"size", "code", "message"})
    class Error extends Sized {
        public int code;
        public byte[] message = new byte[2040];

        public Error() { measure(); }

        @Override public String toString() { return Native.toString(message, UTF8); }
    }

    @Structure.FieldOrder({"size", "flags", "configuration", "plugins", "pluginFolders", "pluginFolderCount",
        "settings", "settingCount", "archive", "store", "control", "program", "claim", "log", "logContext"})
    class Options extends Sized {
        public int flags;
        public String configuration, plugins;
        public Pointer pluginFolders;
        public long pluginFolderCount;
        public Pointer settings;
        public long settingCount;
        public String archive, store, control, program, claim;
        public Pointer log, logContext;

        public Options() {
            setStringEncoding(UTF8);
            measure();
        }
    }

    @Structure.FieldOrder({"size", "known", "playhead", "adPlayhead", "duration", "liveWall", "bitrate", "throughput",
        "dropped", "rendered", "rate", "volume", "frameRate", "width", "height", "playerWidth", "playerHeight",
        "isMuted", "isFullscreen", "isLive", "isAudioOnly", "reserved"})
    class PlayerState extends Sized {
        public int known;
        public long playhead, adPlayhead, duration, liveWall, bitrate, throughput, dropped, rendered;
        public double rate, volume, frameRate;
        public int width, height, playerWidth, playerHeight;
        public byte isMuted, isFullscreen, isLive, isAudioOnly;
        public int reserved;

        public PlayerState() { measure(); }
    }

    class Value extends Union {
        public String text;
        public long integer;
        public double number;

        public Value() { setStringEncoding(UTF8); }
    }

    @Structure.FieldOrder({"name", "kind", "length", "value"})
    class Attribute extends Structure {
        public String name;
        public int kind, length;
        public Value value = new Value();

        public Attribute() { setStringEncoding(UTF8); }

        void set(String name, Object said) {
            this.name = name;
            boolean isWhole = said instanceof Long || said instanceof Integer || said instanceof Short;
            kind = said instanceof String ? 1 : isWhole ? 2 : said instanceof Number ? 3 : 4;
            if (kind == 1) value.text = (String) said;
            else if (kind == 3) value.number = ((Number) said).doubleValue();
            else value.integer = isWhole ? ((Number) said).longValue() : (Boolean) said ? 1 : 0;
            value.setType(kind == 1 ? "text" : kind == 3 ? "number" : "integer");
        }
    }

    @Structure.FieldOrder({"size", "kind", "session", "timedOut", "delivered", "kept", "dropped", "level", "reserved",
        "run", "plugin", "code", "message", "details"})
    class Report extends Sized {
        public int kind, session, timedOut;
        public long delivered, kept, dropped;
        public int level, reserved;
        public Pointer run, plugin, code, message, details;

        public Report() { measure(); }
    }

    Pointer tally_open(Options options, Error error);
    int tally_close(Pointer telemetry, long limit);
    Pointer tally_run_start(Pointer telemetry, Pointer options, Error error);
    void tally_run_free(Pointer run);
    void tally_run_set_state(Pointer run, PlayerState state);
    int tally_run_set_info(Pointer run, int subject, Attribute[] attributes, long count);
    int tally_track(Pointer run, String event, Attribute[] attributes, long count);
    int tally_track_playhead(Pointer run, long playhead);
    /** A bool of C is one byte, a boolean of JNA four. */
    byte tally_next_report(Pointer telemetry, Report report);
}
