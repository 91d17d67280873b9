/** What keeps a child from reaching something, and with it which tools and reasons fit. */
export type Trouble = 'water' | 'high' | 'narrow' | 'deep' | 'thorns';

export interface Spot {
  /** 'into the pond' */
  readonly into: string;
  /** 'in the pond' */
  readonly in: string;
  readonly trouble: Trouble;
}

export interface Hide {
  readonly where: string;
  /** No room for anything large. */
  readonly small: boolean;
}

export interface Setting {
  readonly name: string;
  /** 'in the park' */
  readonly in: string;
  readonly outdoors: boolean;
  readonly spots: readonly Spot[];
  readonly hides: readonly Hide[];
}

/** `into / in / trouble`, separated by semicolons. */
const spots = (text: string): Spot[] =>
  text.split('; ').map((one) => {
    const [into, where, trouble] = one.split(' / ');
    return { into, in: where, trouble: trouble as Trouble };
  });

/** A tilde marks those without room for anything large. */
const hides = (text: string): Hide[] =>
  text.split(', ').map((one) => ({ where: one.replace('~', ''), small: one.endsWith('~') }));

const outdoors = (name: string, preposition: string, spotTexts: string, hideTexts: string): Setting => ({
  name,
  in: `${preposition} the ${name}`,
  outdoors: true,
  spots: spots(spotTexts),
  hides: hides(hideTexts),
});

const indoors = (name: string, preposition: string, hideTexts: string): Setting => ({
  name,
  in: `${preposition} the ${name}`,
  outdoors: false,
  spots: [],
  hides: hides(hideTexts),
});

export const SETTINGS: readonly Setting[] = [
  outdoors(
    'park',
    'in',
    'into the pond / in the pond / water; up into a tall tree / in the tree / high; under a bench / under the bench / narrow; into a rose bush / in the rose bush / thorns',
    'behind the statue, under the picnic table, in the tall grass, behind the big oak, in the sandpit, under the pile of leaves, behind the duck house, in the bandstand, under the ivy',
  ),
  outdoors(
    'beach',
    'on',
    'into the waves / in the waves / water; between two rocks / between the rocks / narrow; into a deep hole / in the hole / deep; onto the roof of a hut / on the roof / high',
    'in the sandcastle~, under the towel, behind the rocks, under the beach chair, in the old boat, in the picnic basket~, under the sun umbrella, behind the dune, under the seaweed',
  ),
  outdoors(
    'forest',
    'in',
    'into a hollow log / in the log / narrow; up into a pine tree / in the pine tree / high; into a stream / in the stream / water; into a thorn bush / in the thorn bush / thorns',
    'in the hollow tree, under the ferns, behind the mossy rock, under the pile of leaves, behind the tree stump, in the old nest~, behind the fallen tree, among the toadstools~, under the moss~',
  ),
  outdoors(
    'farm',
    'on',
    'down the well / in the well / deep; onto the roof of the barn / on the roof / high; into the duck pond / in the duck pond / water; under a tractor / under the tractor / narrow',
    'in the hay, behind the barn, in the hen house, under the cart, in the milk can~, behind the water trough, behind the plow, in the pig trough, under the milking stool~',
  ),
  outdoors(
    'market',
    'at',
    'under a cart / under the cart / narrow; onto the roof of a shop / on the roof / high; into the fountain / in the fountain / water',
    'behind the flower stall, under the cheese stall, in the empty crate, behind the barrels, in the potato sack, among the pumpkins, behind the fish stall, under the awning, in the apple crate',
  ),
  outdoors(
    'garden',
    'in',
    'into a rose bush / in the rose bush / thorns; onto the roof of the shed / on the roof / high; into the fish pond / in the fish pond / water; under the shed / under the shed / narrow',
    'under the wheelbarrow, in the watering can~, behind the compost heap, in the flower pot~, among the cabbages, behind the apple tree, behind the rain barrel, under the rhubarb, in the bird bath~',
  ),
  outdoors(
    'meadow',
    'in',
    'into a stream / in the stream / water; up into an apple tree / in the apple tree / high; down a rabbit hole / in the rabbit hole / deep; into a bramble bush / in the bramble bush / thorns',
    'in the tall grass, behind the haystack, under the old bridge, among the daisies~, behind the gate, in the hollow log, under the wild rose, behind the molehill~, among the poppies',
  ),
  outdoors(
    'riverbank',
    'on',
    'into the river / in the river / water; up into a willow tree / in the willow tree / high; down a rabbit hole / in the rabbit hole / deep; into a thorn bush / in the thorn bush / thorns',
    'under the bridge, in the reeds, behind the willow, under the rowing boat, behind the flat rock, in the fishing bag~, under the alder roots, behind the mill wheel, in the rushes',
  ),
  outdoors(
    'hill',
    'on',
    'down a rabbit hole / in the rabbit hole / deep; up into an oak tree / in the oak tree / high; into a thorn bush / in the thorn bush / thorns; between two boulders / between the boulders / narrow',
    'behind the boulder, in the fox hole~, under the bushes, behind the old tower, among the ferns, in the cave, behind the signpost, in the heather, under the flat stone~',
  ),
  outdoors(
    'school yard',
    'in',
    'onto the roof of the school / on the roof / high; under the stairs / under the stairs / narrow; down an open drain / in the drain / deep; into a holly bush / in the holly bush / thorns',
    'behind the bicycles, under the slide, in the sandpit, behind the hedge, under the bench, in the ball box, under the flagpole~, behind the tool shed, in the rain gutter~',
  ),
  outdoors(
    'harbor',
    'at',
    'into the water / in the water / water; under a boat house / under the boat house / narrow; onto the roof of a fish shop / on the roof / high; between two crates / between the crates / narrow',
    'in the fishing net, under the sail, behind the lighthouse, in the empty barrel, behind the ropes, in the rowing boat, behind the anchor, under the tarpaulin, in the crab basket~',
  ),
  outdoors(
    'village square',
    'in',
    'into the fountain / in the fountain / water; onto the roof of the town hall / on the roof / high; down an open drain / in the drain / deep; under a cart / under the cart / narrow',
    'behind the fountain, under the church steps, behind the flower tubs, under the market stall, in the hollow tree, behind the notice board, behind the old pump, in the stone trough, under the linden tree',
  ),
  outdoors(
    'zoo',
    'at',
    'into the seal pool / in the seal pool / water; up into a palm tree / in the palm tree / high; between two cages / between the cages / narrow; into the monkey house / in the monkey house / narrow',
    'behind the ticket booth, under the elephant sign, in the straw, behind the parrot cage, under the bench, behind the ice cream stand, behind the penguin rock, in the feed bin, under the camel saddle',
  ),
  outdoors(
    'playground',
    'on',
    'onto the roof of the little house / on the roof / high; under the slide / under the slide / narrow; into a holly bush / in the holly bush / thorns; into a deep puddle / in the puddle / water',
    'in the sandpit, under the seesaw, behind the swings, in the tunnel, behind the hedge, in the little house, under the climbing frame, behind the drinking fountain, in the old tire',
  ),
  outdoors(
    'old castle',
    'at',
    'down the old well / in the well / deep; up onto the tower / on the tower / high; into the moat / in the moat / water; between two walls / between the walls / narrow',
    'behind the gate, under the stone arch, in the dungeon, behind the ivy, in the fireplace, under the fallen beam, behind the cannon, in the arrow slit~, under the drawbridge',
  ),
  outdoors(
    'lake',
    'by',
    'into the lake / in the lake / water; up into a birch tree / in the birch tree / high; under the jetty / under the jetty / narrow; into a thorn bush / in the thorn bush / thorns',
    'in the canoe, behind the boat house, in the reeds, under the picnic blanket, behind the birch tree, in the bait box~, under the landing stage, behind the ice house, in the swan nest~',
  ),
  indoors(
    'kitchen',
    'in',
    'in the cupboard, under the table, behind the stove, in the big pot, in the bread box~, under the sink, behind the flour jar, in the oven, under the tea towel~',
  ),
  indoors(
    'attic',
    'in',
    'in the old trunk, behind the chimney, under the dusty sheet, in the suitcase, behind the rocking chair, in the hat box, under the old mattress, in the cradle, behind the beam',
  ),
  indoors(
    'barn',
    'in',
    'in the hay, behind the ladder, in the feed sack, under the saddle, in the barrel, behind the plow, under the tarpaulin, in the seed box, behind the wagon',
  ),
  indoors(
    'classroom',
    'in',
    'under the desk, behind the map, in the toy chest, on top of the cupboard, behind the curtain, in the pencil case~, in the paper basket, behind the blackboard, under the bookshelf',
  ),
  indoors(
    'tent',
    'in',
    'in the sleeping bag, under the blanket, behind the cooking pot, in the backpack~, under the pillow, in the tool box~, under the air bed, in the cooler, behind the lantern',
  ),
  indoors(
    'workshop',
    'in',
    'under the workbench, in the drawer~, behind the saw, in the paint bucket~, on the shelf, under the wood shavings, behind the drill, in the nail tin~, under the sawhorse',
  ),
  indoors(
    'cellar',
    'in',
    'behind the wine barrels, under the stairs, in the coal bucket, among the potatoes, on the shelf, in the laundry basket, behind the boiler, in the apple rack, under the stone shelf',
  ),
  indoors(
    'library',
    'in',
    'behind the dictionaries, on the top shelf, under the armchair, behind the globe, in the desk drawer~, under the newspaper, in the book cart, behind the encyclopedia, under the reading lamp~',
  ),
  indoors(
    'playroom',
    'in',
    'under the bed, in the wardrobe, behind the curtain, under the pillow, in the toy chest, on the window sill, behind the toy kitchen, in the laundry bag, under the toy shelf',
  ),
  indoors(
    'music room',
    'in',
    'under the sofa, behind the piano, in the vase~, under the rug~, behind the bookcase, in the clock case~, under the music stand, in the cello case, behind the harp',
  ),
  indoors(
    'bakery',
    'in',
    'behind the flour sacks, under the counter, in the cake box, in the bread basket, behind the scales, on the tray, in the proving basket, behind the oven, under the bread trolley',
  ),
  indoors(
    'stable',
    'in',
    'in the hay, behind the saddle rack, in the oat bucket, under the horse blanket, in the manger, behind the stable door, in the water trough, behind the hay rack, under the bridles',
  ),
  indoors(
    'museum',
    'in',
    'behind the statue, under the bench, behind the knight, in the cloakroom, under the dinosaur, behind the old coach, behind the mummy, under the glass case, in the suit of armor',
  ),
  outdoors(
    'orchard',
    'in',
    'up into a plum tree / in the plum tree / high; into a bramble bush / in the bramble bush / thorns; into a ditch / in the ditch / water; under the fruit press / under the fruit press / narrow',
    'in the fruit basket, under the ladder, behind the beehives, in the long grass, behind the pear tree, in the bird box~, under the fallen leaves, behind the garden wall',
  ),
  outdoors(
    'fairground',
    'at',
    'onto the roof of the ghost train / on the roof / high; under the merry-go-round / under the merry-go-round / narrow; between two stalls / between the stalls / narrow; into a goldfish pool / in the goldfish pool / water',
    'behind the shooting gallery, under the popcorn cart, behind the puppet tent, in the ticket box~, under the swing boats, behind the candy stall, in the straw bale, behind the big drum',
  ),
  outdoors(
    'windmill',
    'at',
    'up onto the mill steps / on the mill steps / high; into the mill stream / in the mill stream / water; between two millstones / between the millstones / narrow; into a thorn bush / in the thorn bush / thorns',
    'behind the millstone, under the steps, in the grain sack, behind the cart wheel, in the nettles, under the weather vane~, behind the flour scales, in the owl hole~',
  ),
  outdoors(
    'camp site',
    'at',
    'up into a fir tree / in the fir tree / high; into a brook / in the brook / water; down a fox hole / in the fox hole / deep; into a bramble bush / in the bramble bush / thorns',
    'behind the woodpile, under the camp table, in the cooking pot, behind the blue tent, in the hammock, under the groundsheet~, behind the trailer, in the picnic hamper',
  ),
  indoors(
    'greenhouse',
    'in',
    'behind the cactus, under the tomato plants, in the seed drawer~, among the orchids, behind the water tank, in the empty pot, under the potting bench, in the lemon tree',
  ),
  indoors(
    'theater',
    'in',
    'behind the red curtain, under the stage, in the costume trunk, behind the drum kit, under the front seats, in the prompter box~, behind the painted forest, in the wig box~',
  ),
  indoors(
    'toy shop',
    'in',
    'behind the counter, under the train table, in the window display, among the teddy bears, behind the stilts, in the bargain bin, under the wrapping paper~, behind the rocking horse',
  ),
  indoors(
    'log cabin',
    'in',
    'under the bunk bed, behind the stove, in the wood basket, under the bear skin, in the iron pot, behind the snowshoes, on the mantelpiece, in the wash tub',
  ),
  indoors(
    'gym',
    'in',
    'behind the climbing ropes, under the trampoline, in the ball cupboard, behind the vaulting horse, under the blue mat, in the locker, behind the score board, on the window ledge',
  ),
];

interface Tool {
  readonly a: string;
  readonly the: string;
}

const tools = (text: string): Tool[] =>
  text.split(', ').map((words) => ({
    a: words,
    the: `the ${words
      .replace(/^an? /, '')
      .replace(/^piece of /, '')
      .replace(/ on an? \w+$/, '')
      .replace(/^pair of /, '')}`,
  }));

export const TOOLS: Readonly<Record<Trouble, readonly Tool[]>> = {
  water: tools('a net, a fishing rod, a long stick, a rake, a rowing oar, a boat hook, a shrimp net'),
  high: tools('a ladder, a long pole, a broom, a bean pole, a stepladder, a tent pole, a clothes prop'),
  narrow: tools(
    'a long stick, a broom, a piece of wire, a toasting fork, a coat hanger, a walking stick, a back scratcher',
  ),
  deep: tools('a rope, a hook on a string, a fishing rod, a bucket on a rope, a long hook'),
  thorns: tools('a rake, a long stick, a garden fork, a pair of tongs, a walking stick, a hoe'),
};

export const REASONS: Readonly<Record<Trouble, readonly string[]>> = {
  water: [
    'the water was too deep',
    'the water was too cold',
    'it was too far from the edge',
    'the water was green with weeds',
    'it was drifting away',
    'neither of them had boots',
  ],
  high: [
    'it was too high up',
    'there was nothing to climb on',
    'there was nothing to hold on to',
    'even a jump was no use',
    'nobody there was tall enough',
  ],
  narrow: [
    'the gap was too narrow',
    'there was too little room',
    'it was too far in',
    'an arm would not fit',
    'it was stuck fast',
  ],
  deep: [
    'it was too far down',
    'it was too dark to see anything',
    'the sides were too steep',
    'there was no way to climb down',
    'no arm was that long',
  ],
  thorns: [
    'the thorns were too sharp',
    'the leaves were too prickly',
    'it was too far in',
    'every twig scratched',
    'the branches were too thick',
  ],
};

export const RESCUES: Readonly<Record<Trouble, readonly string[]>> = {
  water: ['fished it out', 'pulled it out', 'drew it to the edge', 'lifted it out'],
  high: ['brought it down', 'got it down', 'fetched it down', 'knocked it loose', 'freed it'],
  narrow: ['pulled it out', 'pushed it out', 'got it out', 'worked it loose', 'drew it out'],
  deep: ['pulled it up', 'lifted it up', 'brought it up', 'drew it up', 'hauled it out'],
  thorns: ['pulled it out', 'got it out', 'lifted it out', 'freed it', 'worked it loose'],
};
