/** What shows one story or two on one stage. It is loaded with the first story. */
export { joinScenes } from './joined-scene.ts';
export { frameRestMs, joinedTimeline, timelineOf } from './timeline.ts';
