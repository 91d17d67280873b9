/** Behind the name of a format whose product has one kernel, and that a simple one, wherever its time is compared. */
export const SIMPLE_KERNEL = 'one simple kernel';
