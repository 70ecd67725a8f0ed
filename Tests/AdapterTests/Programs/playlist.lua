-- The course in mpv, with the first file of its list: a pause of half a second at 1 s, and a seek from 2 s to 4 s.
-- It writes what it did and what mpv said, one line each into the file of the option playlist-log: a word, mpv's clock
-- in us and the place in ms. Of a file that has two pictures it shows the other one from 2 s on; that is all of that
-- course.
local log = io.open(mp.get_opt("playlist-log"), "w")
local step = 0
local is_seeking = false

local function say(word)
    local place = mp.get_property_number("time-pos", -0.001)
    log:write(string.format("%s %.0f %.0f\n", word, mp.get_time() * 1000000, place * 1000))
    log:flush()
end

mp.observe_property("time-pos", "number", function(_, place)
    if place == nil or mp.get_property_number("playlist-pos") ~= 0 then return end
    if mp.get_property_number("track-list/count") > 2 then
        if step == 0 and place >= 2 then
            step = 1
            say("other")
            mp.set_property_number("vid", 2)
        end
    elseif step == 0 and place >= 1 then
        step = 1
        say("pause")
        mp.set_property_bool("pause", true)
        mp.add_timeout(0.5, function()
            say("resume")
            mp.set_property_bool("pause", false)
        end)
    elseif step == 1 and place >= 2 then
        step = 2
        is_seeking = true
        say("seek")
        mp.commandv("seek", "4", "absolute+exact")
    end
end)

mp.register_event("playback-restart", function()
    if is_seeking then say("seeked") end
    is_seeking = false
end)

mp.observe_property("paused-for-cache", "bool", function(_, is_waiting)
    if step > 0 then say(is_waiting and "halt" or "go_on") end
end)

mp.register_event("end-file", function(event) say(event.reason == "error" and "error" or "end") end)
