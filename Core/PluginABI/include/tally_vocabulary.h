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

#define TALLY_EVENT_TYPE_VIDEO_LOAD             1u /* video_load */
#define TALLY_EVENT_TYPE_VIDEO_UNLOAD           2u /* video_unload */
#define TALLY_EVENT_TYPE_PLAY                   3u /* play */
#define TALLY_EVENT_TYPE_FIRST_FRAME            4u /* first_frame */
#define TALLY_EVENT_TYPE_PAUSE                  5u /* pause */
#define TALLY_EVENT_TYPE_COMPLETE               6u /* complete */
#define TALLY_EVENT_TYPE_SEEK_START             7u /* seek_start */
#define TALLY_EVENT_TYPE_SEEK_COMPLETE          8u /* seek_complete */
#define TALLY_EVENT_TYPE_BUFFER_START           9u /* buffer_start */
#define TALLY_EVENT_TYPE_BUFFER_COMPLETE        10u /* buffer_complete */
#define TALLY_EVENT_TYPE_AD_BREAK_START         11u /* ad_break_start */
#define TALLY_EVENT_TYPE_AD_BREAK_COMPLETE      12u /* ad_break_complete */
#define TALLY_EVENT_TYPE_AD_START               13u /* ad_start */
#define TALLY_EVENT_TYPE_AD_COMPLETE            14u /* ad_complete */
#define TALLY_EVENT_TYPE_AD_SKIP                15u /* ad_skip */
#define TALLY_EVENT_TYPE_AD_CLICK               16u /* ad_click */
#define TALLY_EVENT_TYPE_AD_QUARTILE            17u /* ad_quartile */
#define TALLY_EVENT_TYPE_AD_ERROR               18u /* ad_error */
#define TALLY_EVENT_TYPE_CHAPTER_START          19u /* chapter_start */
#define TALLY_EVENT_TYPE_CHAPTER_COMPLETE       20u /* chapter_complete */
#define TALLY_EVENT_TYPE_CHAPTER_SKIP           21u /* chapter_skip */
#define TALLY_EVENT_TYPE_RENDITION_CHANGE       22u /* rendition_change */
#define TALLY_EVENT_TYPE_QUALITY_SAMPLE         23u /* quality_sample */
#define TALLY_EVENT_TYPE_PLAYHEAD_SAMPLE        24u /* playhead_sample */
#define TALLY_EVENT_TYPE_REQUEST_COMPLETED      25u /* request_completed */
#define TALLY_EVENT_TYPE_REQUEST_FAILED         26u /* request_failed */
#define TALLY_EVENT_TYPE_REQUEST_CANCELLED      27u /* request_cancelled */
#define TALLY_EVENT_TYPE_PLAYER_ERROR           28u /* player_error */
#define TALLY_EVENT_TYPE_APPLICATION_ERROR      29u /* application_error */
#define TALLY_EVENT_TYPE_PLAYER_READY           30u /* player_ready */
#define TALLY_EVENT_TYPE_METADATA_CHANGE        31u /* metadata_change */
#define TALLY_EVENT_TYPE_CUSTOM                 32u /* custom */
#define TALLY_EVENT_TYPE_APPLICATION_LAUNCHED   33u /* application_launched */
#define TALLY_EVENT_TYPE_APPLICATION_TERMINATED 34u /* application_terminated */
#define TALLY_EVENT_TYPE_APPLICATION_FOREGROUND 35u /* application_foreground */
#define TALLY_EVENT_TYPE_APPLICATION_BACKGROUND 36u /* application_background */
#define TALLY_EVENT_TYPE_INTERRUPTION_START     37u /* interruption_start */
#define TALLY_EVENT_TYPE_INTERRUPTION_END       38u /* interruption_end */
#define TALLY_EVENT_TYPE_CONSENT                39u /* consent */
#define TALLY_EVENT_TYPE_SESSION_SNAPSHOT       256u /* session_snapshot */
#define TALLY_EVENT_TYPE_PLUGIN_ENABLED         257u /* plugin_enabled */
#define TALLY_EVENT_TYPE_PLUGIN_DISABLED        258u /* plugin_disabled */
#define TALLY_EVENT_TYPE_PLUGIN_CONFIGURED      259u /* plugin_configured */
#define TALLY_EVENT_TYPE_PLUGIN_REPLACED        260u /* plugin_replaced */
#define TALLY_EVENT_TYPE_CLOCK_STEP             261u /* clock_step */
#define TALLY_EVENT_TYPE_SYSTEM_SUSPENDED       262u /* system_suspended */
#define TALLY_EVENT_TYPE_PLUGIN_LOADED          263u /* plugin_loaded */
#define TALLY_EVENT_TYPE_PLUGIN_COMMAND         264u /* plugin_command */

/* Types at and above this number are given out as their names are met; the name tells what they are. */
#define TALLY_EVENT_TYPE_FIRST_UNKNOWN 0x10000u

/* ---- attribute names ---- */

/* Video information, read at video_load and metadata_change */
#define TALLY_KEY_VIDEO_ID                  1u /* video_id */
#define TALLY_KEY_VIDEO_NAME                2u /* video_name */
#define TALLY_KEY_VIDEO_URL                 3u /* video_url */
#define TALLY_KEY_PLAYER_NAME               4u /* player_name */
#define TALLY_KEY_PLAYER_VERSION            5u /* player_version */
#define TALLY_KEY_STREAM_TYPE               6u /* stream_type */
#define TALLY_KEY_VIDEO_LANGUAGE            7u /* video_language */
#define TALLY_KEY_VIDEO_MIME_TYPE           8u /* video_mime_type */
#define TALLY_KEY_VIDEO_CODEC               9u /* video_codec */
#define TALLY_KEY_AUDIO_CODEC               10u /* audio_codec */
#define TALLY_KEY_VIDEO_CDN                 11u /* video_cdn */
#define TALLY_KEY_AUTOPLAY                  12u /* autoplay */
#define TALLY_KEY_APPLICATION_NAME          13u /* application_name */
#define TALLY_KEY_APPLICATION_VERSION       14u /* application_version */
#define TALLY_KEY_USER_ID                   15u /* user_id */
#define TALLY_KEY_PLAYER_LANGUAGE           16u /* player_language */
#define TALLY_KEY_SUBTITLE_LANGUAGE         17u /* subtitle_language */

/* Ad break information, read at ad_break_start, ad_start and seek_complete */
#define TALLY_KEY_AD_BREAK_ID               32u /* ad_break_id */
#define TALLY_KEY_AD_BREAK_NAME             33u /* ad_break_name */
#define TALLY_KEY_AD_BREAK_POSITION         34u /* ad_break_position */
#define TALLY_KEY_AD_BREAK_START_MS         35u /* ad_break_start_ms */
#define TALLY_KEY_AD_BREAK_TYPE             36u /* ad_break_type */
#define TALLY_KEY_AD_BREAK_PLAYER_NAME      37u /* ad_break_player_name */

/* Ad information, read at ad_start and seek_complete */
#define TALLY_KEY_AD_ID                     48u /* ad_id */
#define TALLY_KEY_AD_NAME                   49u /* ad_name */
#define TALLY_KEY_AD_DURATION_MS            50u /* ad_duration_ms */
#define TALLY_KEY_AD_POSITION               51u /* ad_position */
#define TALLY_KEY_AD_CPM                    52u /* ad_cpm */
#define TALLY_KEY_AD_URL                    53u /* ad_url */
#define TALLY_KEY_AD_LANGUAGE               54u /* ad_language */
#define TALLY_KEY_AD_CREATIVE_ID            55u /* ad_creative_id */
#define TALLY_KEY_AD_UNIVERSAL_ID           56u /* ad_universal_id */
#define TALLY_KEY_AD_PARTNER                57u /* ad_partner */
#define TALLY_KEY_AD_TAG_URL                58u /* ad_tag_url */
#define TALLY_KEY_AD_CLICK_URL              59u /* ad_click_url */
#define TALLY_KEY_AD_SKIP_AFTER_MS          60u /* ad_skip_after_ms */
#define TALLY_KEY_AD_QUARTILE               61u /* ad_quartile */

/* Chapter information, read at chapter_start and seek_complete */
#define TALLY_KEY_CHAPTER_NAME              64u /* chapter_name */
#define TALLY_KEY_CHAPTER_POSITION          65u /* chapter_position */
#define TALLY_KEY_CHAPTER_START_MS          66u /* chapter_start_ms */
#define TALLY_KEY_CHAPTER_DURATION_MS       67u /* chapter_duration_ms */

/* Rendition change */
#define TALLY_KEY_RENDITION_PHASE           80u /* rendition_phase */
#define TALLY_KEY_RENDITION_CAUSE           81u /* rendition_cause */
#define TALLY_KEY_RENDITION_SHIFT           82u /* rendition_shift */
#define TALLY_KEY_RENDITION_NAME            83u /* rendition_name */
#define TALLY_KEY_RENDITION_BITRATE_BPS     84u /* rendition_bitrate_bps */
#define TALLY_KEY_RENDITION_WIDTH           85u /* rendition_width */
#define TALLY_KEY_RENDITION_HEIGHT          86u /* rendition_height */
#define TALLY_KEY_RENDITION_FPS_MILLI       87u /* rendition_fps_milli */
#define TALLY_KEY_RENDITION_CODEC           88u /* rendition_codec */

/* Seek, buffering and quality */
#define TALLY_KEY_SEEK_FROM_MS              96u /* seek_from_ms */
#define TALLY_KEY_SEEK_TO_MS                97u /* seek_to_ms */
#define TALLY_KEY_BUFFER_CAUSE              98u /* buffer_cause */
#define TALLY_KEY_BUFFER_LENGTH_MS          99u /* buffer_length_ms */
#define TALLY_KEY_STARTUP_TIME_MS           100u /* startup_time_ms */
#define TALLY_KEY_LIVE_EDGE_WALL_MS         101u /* live_edge_wall_ms */
#define TALLY_KEY_FIRST_PICTURE_TIME_MS     102u /* first_picture_time_ms */

/* Network requests */
#define TALLY_KEY_REQUEST_URL               112u /* request_url */
#define TALLY_KEY_REQUEST_HOST              113u /* request_host */
#define TALLY_KEY_REQUEST_TYPE              114u /* request_type */
#define TALLY_KEY_REQUEST_ID                115u /* request_id */
#define TALLY_KEY_REQUEST_STATUS            116u /* request_status */
#define TALLY_KEY_REQUEST_BYTES             117u /* request_bytes */
#define TALLY_KEY_REQUEST_DURATION_MS       118u /* request_duration_ms */
#define TALLY_KEY_REQUEST_FIRST_BYTE_MS     119u /* request_first_byte_ms */
#define TALLY_KEY_REQUEST_MEDIA_START_MS    120u /* request_media_start_ms */
#define TALLY_KEY_REQUEST_MEDIA_DURATION_MS 121u /* request_media_duration_ms */
#define TALLY_KEY_REQUEST_BITRATE_BPS       122u /* request_bitrate_bps */
#define TALLY_KEY_REQUEST_WIDTH             123u /* request_width */
#define TALLY_KEY_REQUEST_HEIGHT            124u /* request_height */

/* Errors */
#define TALLY_KEY_ERROR_ID                  128u /* error_id */
#define TALLY_KEY_ERROR_MESSAGE             129u /* error_message */
#define TALLY_KEY_ERROR_DOMAIN              130u /* error_domain */
#define TALLY_KEY_ERROR_CODE                131u /* error_code */
#define TALLY_KEY_ERROR_FATAL               132u /* error_fatal */
#define TALLY_KEY_ERROR_CONTEXT             133u /* error_context */

/* Application, interruption, consent and unload */
#define TALLY_KEY_CUSTOM_NAME               144u /* custom_name */
#define TALLY_KEY_RUNNING_TIME_MS           145u /* running_time_ms */
#define TALLY_KEY_INTERRUPTION_REASON       146u /* interruption_reason */
#define TALLY_KEY_CONSENT_SCOPE             147u /* consent_scope */
#define TALLY_KEY_CONSENT_STATE             148u /* consent_state */
#define TALLY_KEY_IMPLICIT                  149u /* implicit */

/* Added by the core */
#define TALLY_KEY_GAP_SAMPLES               160u /* gap_samples */
#define TALLY_KEY_GAP_QUALITY_SAMPLES       161u /* gap_quality_samples */
#define TALLY_KEY_GAP_EVENTS                162u /* gap_events */
#define TALLY_KEY_JOINED                    163u /* joined */
#define TALLY_KEY_LOADED_AT_US              164u /* loaded_at_us */
#define TALLY_KEY_FIRST_PLAY_AT_US          165u /* first_play_at_us */
#define TALLY_KEY_PLUGIN                    166u /* plugin */
#define TALLY_KEY_PLUGIN_VERSION            167u /* plugin_version */
#define TALLY_KEY_PLUGIN_SHA256             168u /* plugin_sha256 */
#define TALLY_KEY_CAUSE                     169u /* cause */
#define TALLY_KEY_CONFIGURATION             170u /* configuration */
#define TALLY_KEY_STEP_US                   171u /* step_us */
#define TALLY_KEY_PLUGIN_ID                 172u /* plugin_id */
#define TALLY_KEY_PLUGIN_ENABLED            173u /* plugin_enabled */
#define TALLY_KEY_PLUGIN_STORED             174u /* plugin_stored */
#define TALLY_KEY_PLUGIN_COMMAND            175u /* plugin_command */
#define TALLY_KEY_PLUGIN_ARGUMENTS          176u /* plugin_arguments */
#define TALLY_KEY_PLUGIN_REPLACEMENT        177u /* plugin_replacement */

#endif
