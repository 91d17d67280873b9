/** The functions of a player for one story (the animation of a format) or two at once; loaded with the first story. */
export { joinScenes } from './joined-scene.ts';
export { pauseAfterFrameMs, joinedTimeline, timelineOf } from './timeline.ts';
