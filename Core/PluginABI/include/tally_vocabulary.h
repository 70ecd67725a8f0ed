/* Made from Core/vocabulary.txt by Scripts/vocabulary: change it there.
 *
 * Tally plugin ABI: numbers of well-known event types and attribute names. Never reused, never changed.
 *
 * Names, types, units and who sets what: docs/data-model.md. The text of a name is always in the block too, so a plugin
 * that is older than a number still finds the name. The comment behind a number is the name.
 */
#ifndef TALLY_VOCABULARY_H
#define TALLY_VOCABULARY_H

#include <stdint.h>

/* ---- event types: 1 to 255 from the player, 256 to 0xFFFF from the core ---- */

#define TALLY_EVENT_TYPE_VIDEO_LOAD             ((uint32_t)1) /* video_load */
#define TALLY_EVENT_TYPE_VIDEO_UNLOAD           ((uint32_t)2) /* video_unload */
#define TALLY_EVENT_TYPE_PLAY                   ((uint32_t)3) /* play */
#define TALLY_EVENT_TYPE_FIRST_FRAME            ((uint32_t)4) /* first_frame */
#define TALLY_EVENT_TYPE_PAUSE                  ((uint32_t)5) /* pause */
#define TALLY_EVENT_TYPE_COMPLETE               ((uint32_t)6) /* complete */
#define TALLY_EVENT_TYPE_SEEK_START             ((uint32_t)7) /* seek_start */
#define TALLY_EVENT_TYPE_SEEK_COMPLETE          ((uint32_t)8) /* seek_complete */
#define TALLY_EVENT_TYPE_BUFFER_START           ((uint32_t)9) /* buffer_start */
#define TALLY_EVENT_TYPE_BUFFER_COMPLETE        ((uint32_t)10) /* buffer_complete */
#define TALLY_EVENT_TYPE_AD_BREAK_START         ((uint32_t)11) /* ad_break_start */
#define TALLY_EVENT_TYPE_AD_BREAK_COMPLETE      ((uint32_t)12) /* ad_break_complete */
#define TALLY_EVENT_TYPE_AD_START               ((uint32_t)13) /* ad_start */
#define TALLY_EVENT_TYPE_AD_COMPLETE            ((uint32_t)14) /* ad_complete */
#define TALLY_EVENT_TYPE_AD_SKIP                ((uint32_t)15) /* ad_skip */
#define TALLY_EVENT_TYPE_AD_CLICK               ((uint32_t)16) /* ad_click */
#define TALLY_EVENT_TYPE_AD_QUARTILE            ((uint32_t)17) /* ad_quartile */
#define TALLY_EVENT_TYPE_AD_ERROR               ((uint32_t)18) /* ad_error */
#define TALLY_EVENT_TYPE_CHAPTER_START          ((uint32_t)19) /* chapter_start */
#define TALLY_EVENT_TYPE_CHAPTER_COMPLETE       ((uint32_t)20) /* chapter_complete */
#define TALLY_EVENT_TYPE_CHAPTER_SKIP           ((uint32_t)21) /* chapter_skip */
#define TALLY_EVENT_TYPE_RENDITION_CHANGE       ((uint32_t)22) /* rendition_change */
#define TALLY_EVENT_TYPE_QUALITY_SAMPLE         ((uint32_t)23) /* quality_sample */
#define TALLY_EVENT_TYPE_PLAYHEAD_SAMPLE        ((uint32_t)24) /* playhead_sample */
#define TALLY_EVENT_TYPE_REQUEST_COMPLETED      ((uint32_t)25) /* request_completed */
#define TALLY_EVENT_TYPE_REQUEST_FAILED         ((uint32_t)26) /* request_failed */
#define TALLY_EVENT_TYPE_REQUEST_CANCELLED      ((uint32_t)27) /* request_cancelled */
#define TALLY_EVENT_TYPE_PLAYER_ERROR           ((uint32_t)28) /* player_error */
#define TALLY_EVENT_TYPE_APPLICATION_ERROR      ((uint32_t)29) /* application_error */
#define TALLY_EVENT_TYPE_PLAYER_READY           ((uint32_t)30) /* player_ready */
#define TALLY_EVENT_TYPE_METADATA_CHANGE        ((uint32_t)31) /* metadata_change */
#define TALLY_EVENT_TYPE_CUSTOM                 ((uint32_t)32) /* custom */
#define TALLY_EVENT_TYPE_APPLICATION_LAUNCHED   ((uint32_t)33) /* application_launched */
#define TALLY_EVENT_TYPE_APPLICATION_TERMINATED ((uint32_t)34) /* application_terminated */
#define TALLY_EVENT_TYPE_APPLICATION_FOREGROUND ((uint32_t)35) /* application_foreground */
#define TALLY_EVENT_TYPE_APPLICATION_BACKGROUND ((uint32_t)36) /* application_background */
#define TALLY_EVENT_TYPE_INTERRUPTION_START     ((uint32_t)37) /* interruption_start */
#define TALLY_EVENT_TYPE_INTERRUPTION_END       ((uint32_t)38) /* interruption_end */
#define TALLY_EVENT_TYPE_CONSENT                ((uint32_t)39) /* consent */
#define TALLY_EVENT_TYPE_SESSION_SNAPSHOT       ((uint32_t)256) /* session_snapshot */
#define TALLY_EVENT_TYPE_PLUGIN_ENABLED         ((uint32_t)257) /* plugin_enabled */
#define TALLY_EVENT_TYPE_PLUGIN_DISABLED        ((uint32_t)258) /* plugin_disabled */
#define TALLY_EVENT_TYPE_PLUGIN_CONFIGURED      ((uint32_t)259) /* plugin_configured */
#define TALLY_EVENT_TYPE_PLUGIN_REPLACED        ((uint32_t)260) /* plugin_replaced */
#define TALLY_EVENT_TYPE_CLOCK_STEP             ((uint32_t)261) /* clock_step */
#define TALLY_EVENT_TYPE_SYSTEM_SUSPENDED       ((uint32_t)262) /* system_suspended */
#define TALLY_EVENT_TYPE_PLUGIN_LOADED          ((uint32_t)263) /* plugin_loaded */
#define TALLY_EVENT_TYPE_PLUGIN_COMMAND         ((uint32_t)264) /* plugin_command */

/* Types at and above this number are given out as their names are met; the name tells what they are. */
#define TALLY_EVENT_TYPE_FIRST_UNKNOWN ((uint32_t)0x10000)

/* ---- attribute names ---- */

/* Video information, read at video_load and metadata_change */
#define TALLY_KEY_VIDEO_ID                  ((uint16_t)1) /* video_id */
#define TALLY_KEY_VIDEO_NAME                ((uint16_t)2) /* video_name */
#define TALLY_KEY_VIDEO_URL                 ((uint16_t)3) /* video_url */
#define TALLY_KEY_PLAYER_NAME               ((uint16_t)4) /* player_name */
#define TALLY_KEY_PLAYER_VERSION            ((uint16_t)5) /* player_version */
#define TALLY_KEY_STREAM_TYPE               ((uint16_t)6) /* stream_type */
#define TALLY_KEY_VIDEO_LANGUAGE            ((uint16_t)7) /* video_language */
#define TALLY_KEY_VIDEO_MIME_TYPE           ((uint16_t)8) /* video_mime_type */
#define TALLY_KEY_VIDEO_CODEC               ((uint16_t)9) /* video_codec */
#define TALLY_KEY_AUDIO_CODEC               ((uint16_t)10) /* audio_codec */
#define TALLY_KEY_VIDEO_CDN                 ((uint16_t)11) /* video_cdn */
#define TALLY_KEY_AUTOPLAY                  ((uint16_t)12) /* autoplay */
#define TALLY_KEY_APPLICATION_NAME          ((uint16_t)13) /* application_name */
#define TALLY_KEY_APPLICATION_VERSION       ((uint16_t)14) /* application_version */
#define TALLY_KEY_USER_ID                   ((uint16_t)15) /* user_id */
#define TALLY_KEY_PLAYER_LANGUAGE           ((uint16_t)16) /* player_language */

/* Ad break information, read at ad_break_start, ad_start and seek_complete */
#define TALLY_KEY_AD_BREAK_ID               ((uint16_t)32) /* ad_break_id */
#define TALLY_KEY_AD_BREAK_NAME             ((uint16_t)33) /* ad_break_name */
#define TALLY_KEY_AD_BREAK_POSITION         ((uint16_t)34) /* ad_break_position */
#define TALLY_KEY_AD_BREAK_START_MS         ((uint16_t)35) /* ad_break_start_ms */
#define TALLY_KEY_AD_BREAK_TYPE             ((uint16_t)36) /* ad_break_type */
#define TALLY_KEY_AD_BREAK_PLAYER_NAME      ((uint16_t)37) /* ad_break_player_name */

/* Ad information, read at ad_start and seek_complete */
#define TALLY_KEY_AD_ID                     ((uint16_t)48) /* ad_id */
#define TALLY_KEY_AD_NAME                   ((uint16_t)49) /* ad_name */
#define TALLY_KEY_AD_DURATION_MS            ((uint16_t)50) /* ad_duration_ms */
#define TALLY_KEY_AD_POSITION               ((uint16_t)51) /* ad_position */
#define TALLY_KEY_AD_CPM                    ((uint16_t)52) /* ad_cpm */
#define TALLY_KEY_AD_URL                    ((uint16_t)53) /* ad_url */
#define TALLY_KEY_AD_LANGUAGE               ((uint16_t)54) /* ad_language */
#define TALLY_KEY_AD_CREATIVE_ID            ((uint16_t)55) /* ad_creative_id */
#define TALLY_KEY_AD_UNIVERSAL_ID           ((uint16_t)56) /* ad_universal_id */
#define TALLY_KEY_AD_PARTNER                ((uint16_t)57) /* ad_partner */
#define TALLY_KEY_AD_TAG_URL                ((uint16_t)58) /* ad_tag_url */
#define TALLY_KEY_AD_CLICK_URL              ((uint16_t)59) /* ad_click_url */
#define TALLY_KEY_AD_SKIP_AFTER_MS          ((uint16_t)60) /* ad_skip_after_ms */
#define TALLY_KEY_AD_QUARTILE               ((uint16_t)61) /* ad_quartile */

/* Chapter information, read at chapter_start and seek_complete */
#define TALLY_KEY_CHAPTER_NAME              ((uint16_t)64) /* chapter_name */
#define TALLY_KEY_CHAPTER_POSITION          ((uint16_t)65) /* chapter_position */
#define TALLY_KEY_CHAPTER_START_MS          ((uint16_t)66) /* chapter_start_ms */
#define TALLY_KEY_CHAPTER_DURATION_MS       ((uint16_t)67) /* chapter_duration_ms */

/* Rendition change */
#define TALLY_KEY_RENDITION_PHASE           ((uint16_t)80) /* rendition_phase */
#define TALLY_KEY_RENDITION_CAUSE           ((uint16_t)81) /* rendition_cause */
#define TALLY_KEY_RENDITION_SHIFT           ((uint16_t)82) /* rendition_shift */
#define TALLY_KEY_RENDITION_NAME            ((uint16_t)83) /* rendition_name */
#define TALLY_KEY_RENDITION_BITRATE_BPS     ((uint16_t)84) /* rendition_bitrate_bps */
#define TALLY_KEY_RENDITION_WIDTH           ((uint16_t)85) /* rendition_width */
#define TALLY_KEY_RENDITION_HEIGHT          ((uint16_t)86) /* rendition_height */
#define TALLY_KEY_RENDITION_FPS_MILLI       ((uint16_t)87) /* rendition_fps_milli */
#define TALLY_KEY_RENDITION_CODEC           ((uint16_t)88) /* rendition_codec */

/* Seek, buffering and quality */
#define TALLY_KEY_SEEK_FROM_MS              ((uint16_t)96) /* seek_from_ms */
#define TALLY_KEY_SEEK_TO_MS                ((uint16_t)97) /* seek_to_ms */
#define TALLY_KEY_BUFFER_CAUSE              ((uint16_t)98) /* buffer_cause */
#define TALLY_KEY_BUFFER_LENGTH_MS          ((uint16_t)99) /* buffer_length_ms */
#define TALLY_KEY_STARTUP_TIME_MS           ((uint16_t)100) /* startup_time_ms */
#define TALLY_KEY_LIVE_EDGE_WALL_MS         ((uint16_t)101) /* live_edge_wall_ms */

/* Network requests */
#define TALLY_KEY_REQUEST_URL               ((uint16_t)112) /* request_url */
#define TALLY_KEY_REQUEST_HOST              ((uint16_t)113) /* request_host */
#define TALLY_KEY_REQUEST_TYPE              ((uint16_t)114) /* request_type */
#define TALLY_KEY_REQUEST_ID                ((uint16_t)115) /* request_id */
#define TALLY_KEY_REQUEST_STATUS            ((uint16_t)116) /* request_status */
#define TALLY_KEY_REQUEST_BYTES             ((uint16_t)117) /* request_bytes */
#define TALLY_KEY_REQUEST_DURATION_MS       ((uint16_t)118) /* request_duration_ms */
#define TALLY_KEY_REQUEST_FIRST_BYTE_MS     ((uint16_t)119) /* request_first_byte_ms */
#define TALLY_KEY_REQUEST_MEDIA_START_MS    ((uint16_t)120) /* request_media_start_ms */
#define TALLY_KEY_REQUEST_MEDIA_DURATION_MS ((uint16_t)121) /* request_media_duration_ms */
#define TALLY_KEY_REQUEST_BITRATE_BPS       ((uint16_t)122) /* request_bitrate_bps */
#define TALLY_KEY_REQUEST_WIDTH             ((uint16_t)123) /* request_width */
#define TALLY_KEY_REQUEST_HEIGHT            ((uint16_t)124) /* request_height */

/* Errors */
#define TALLY_KEY_ERROR_ID                  ((uint16_t)128) /* error_id */
#define TALLY_KEY_ERROR_MESSAGE             ((uint16_t)129) /* error_message */
#define TALLY_KEY_ERROR_DOMAIN              ((uint16_t)130) /* error_domain */
#define TALLY_KEY_ERROR_CODE                ((uint16_t)131) /* error_code */
#define TALLY_KEY_ERROR_FATAL               ((uint16_t)132) /* error_fatal */
#define TALLY_KEY_ERROR_CONTEXT             ((uint16_t)133) /* error_context */

/* Application, interruption, consent and unload */
#define TALLY_KEY_CUSTOM_NAME               ((uint16_t)144) /* custom_name */
#define TALLY_KEY_RUNNING_TIME_MS           ((uint16_t)145) /* running_time_ms */
#define TALLY_KEY_INTERRUPTION_REASON       ((uint16_t)146) /* interruption_reason */
#define TALLY_KEY_CONSENT_SCOPE             ((uint16_t)147) /* consent_scope */
#define TALLY_KEY_CONSENT_STATE             ((uint16_t)148) /* consent_state */
#define TALLY_KEY_IMPLICIT                  ((uint16_t)149) /* implicit */

/* Added by the core */
#define TALLY_KEY_GAP_SAMPLES               ((uint16_t)160) /* gap_samples */
#define TALLY_KEY_GAP_QUALITY_SAMPLES       ((uint16_t)161) /* gap_quality_samples */
#define TALLY_KEY_GAP_EVENTS                ((uint16_t)162) /* gap_events */
#define TALLY_KEY_JOINED                    ((uint16_t)163) /* joined */
#define TALLY_KEY_LOADED_AT_US              ((uint16_t)164) /* loaded_at_us */
#define TALLY_KEY_FIRST_PLAY_AT_US          ((uint16_t)165) /* first_play_at_us */
#define TALLY_KEY_PLUGIN                    ((uint16_t)166) /* plugin */
#define TALLY_KEY_PLUGIN_VERSION            ((uint16_t)167) /* plugin_version */
#define TALLY_KEY_PLUGIN_SHA256             ((uint16_t)168) /* plugin_sha256 */
#define TALLY_KEY_CAUSE                     ((uint16_t)169) /* cause */
#define TALLY_KEY_CONFIGURATION             ((uint16_t)170) /* configuration */
#define TALLY_KEY_STEP_US                   ((uint16_t)171) /* step_us */
#define TALLY_KEY_PLUGIN_ID                 ((uint16_t)172) /* plugin_id */
#define TALLY_KEY_PLUGIN_ENABLED            ((uint16_t)173) /* plugin_enabled */
#define TALLY_KEY_PLUGIN_STORED             ((uint16_t)174) /* plugin_stored */
#define TALLY_KEY_PLUGIN_COMMAND            ((uint16_t)175) /* plugin_command */
#define TALLY_KEY_PLUGIN_ARGUMENTS          ((uint16_t)176) /* plugin_arguments */

#endif
