/// Lines as Tally writes them, one of each kind: what the tests of damage start from.
enum SampleLines {
    static let header =
        #"{"run":"run-1","n":0,"tally":{"format":1,"semantics":1,"core":"1.0.0","epoch_us":1700000000000000,"#
        + #""trackers":[{"name":"nr","plugin":"org.tally.new-relic-video","version":"1.0.0","sha256":"00ff","#
        + #""enabled":true,"configuration":{"a":[1,2.5,"x"]},"stored":{"viewer":"v-1"}}]}}"#
    static let event =
        #"{"run":"run-1","n":7,"t_us":1500000,"event":"quality_sample","session":1,"flags":["moved","gap_before"],"#
        + #""state":{"playhead_ms":1250,"playhead_age_us":250000,"bitrate_bps":3000000,"fps_milli":25000,"width":1280,"#
        + #""height":720,"rate_milli":1000,"muted":false,"live":true,"is":["playing","started"]},"#
        + #""attributes":{"buffer_length_ms":12000,"note":"é \"x\" \u0000😀","ratio":0.1,"#
        + #""list":[1,[true,null],"x",{"$b":"AAEC"}],"odd":{"$f":"nan"},"none":null}}"#
    static let sample = #"{"run":"run-1","n":8,"t_us":1750000,"event":"playhead_sample","state":{"playhead_ms":1500}}"#
    static let mark = #"{"run":"run-1","n":9,"t_us":2750000,"mark":true}"#
    static let end = #"{"run":"run-1","n":10,"t_us":3000000,"end":"drained","dropped":0}"#

    static let all = [header, event, sample, mark, end]
}
