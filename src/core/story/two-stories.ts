/** What the player needs for one story or two at once: one module, which is loaded with the first story. */
export { joinScenes } from './joined-scene.ts';
export { pauseAfterFrameMs, joinedTimeline, timelineOf } from './timeline.ts';
