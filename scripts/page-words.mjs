// Finds every text that the page shows. `node scripts/page-words.mjs [PATH...]` prints the texts of these files and folders
// (default: src and labs) with their word counts and lines, the longest first, and the number of all words.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'vite';
import { ROOT } from './packages.mjs';

/**
 * @typedef {object} VisibleText
 * @property {string} at the file, relative to the repository, and the line
 * @property {string} text one space between words; … marks what is computed
 */

/** Names, addresses and styles, which no text contains. */
const CODE = /^(?:#|https?:|--|\.?\/|M\d|[\w-]+:|[\w-]*[/=<>{}[\]][\w-]*$)|=>|\bvar\(|^[\d\s.,%-]+(?:px|rem|em)$/;

/** Files whose texts are not on the page: tests, and the grammar of the tales that a small model learns. */
const UNSHOWN = /\.test\.|\.d\.ts$|README|\/tales\//;

/** A program in a string: a line of it ends as a statement or opens a block, or it declares something. */
const PROGRAM = /[;{]\s*(?:\n|$)|;\s*\}|\bfn [\w…]*\(|\)\s*\{|@group\(|\bvar</;

/** Elements of a picture and their attributes, written as text; an attribute may also occur alone, or lack its end. */
const MARKUP = /<\/?[a-z][^<>]*>?|[\w:-]+="[^"]*"?/g;

/** Attributes whose text is shown or read aloud even when it is one word. */
const SHOWN_ATTRIBUTES = /^(?:alt|aria-label|heading|hint|label|name|note|placeholder|summary|text|title)$/;

/** Properties of objects whose text is shown even when it is one word. `name` is missing: it may be for programs only. */
const SHOWN_PROPERTIES = /^(?:heading|hint|label|note|summary|text|title)$/;

/** Tags of templates that make a sentence of a story, and the function that emphasises a part of one. */
const SENTENCES = /^(?:say|stated)$/;
const EMPHASIS = 'strong';

/** Attributes whose values are not shown. */
const HIDDEN_ATTRIBUTES = /^(?:class|className|class[A-Z]\w*|d|href|id|points|style|to|transform|viewBox)$/;

/**
 * The texts of a parsed source that a user may read: what JSX shows, and strings of two words or more.
 *
 * @param {string} path
 * @param {string} source TypeScript
 * @returns {VisibleText[]}
 * @throws {SyntaxError} for a text that is no TypeScript
 */
export function textsOfSource(path, source) {
  const { program, errors } = parseSync(path, source);
  if (errors[0]) throw new SyntaxError(errors[0].message);
  /** @type {VisibleText[]} */
  const texts = [];
  walk(program, false);
  return texts;

  /**
   * Adds the texts in a syntax tree.
   *
   * @param {any} node
   * @param {boolean} isShown whether a string here is surely shown, so that it counts even if it is one word
   */
  function walk(node, isShown) {
    if (Array.isArray(node)) node.forEach((child) => walk(child, isShown));
    if (Array.isArray(node) || typeof node !== 'object' || node === null) return;
    if (/^(?:Import|ExportNamed|ExportAll)/.test(node.type) && node.source) return;
    if (/^TS(?!As|NonNull|Satisfies)/.test(node.type)) return;
    if (node.type === 'JSXAttribute') {
      const name = node.name.name ?? '';
      const value = node.value?.type === 'JSXExpressionContainer' ? node.value.expression : node.value;
      if (!HIDDEN_ATTRIBUTES.test(name)) walk(value, SHOWN_ATTRIBUTES.test(name));
      return;
    }
    if (node.type === 'TaggedTemplateExpression') {
      if (SENTENCES.test(node.tag.name)) walk(node.quasi, true);
      return;
    }
    // A string that is split at once is a list of names.
    if (node.type === 'CallExpression' && node.callee.property?.name === 'split' && isText(node.callee.object)) return;
    if (node.type === 'JSXText') add(node, node.value, true);
    if (node.type === 'Literal' && typeof node.value === 'string') add(node, node.value, isShown);
    const isSentence = node.type === 'TemplateLiteral' && add(node, quasisOf(node).join('…'), isShown);
    const shows =
      isSentence ||
      node.type === 'JSXExpressionContainer' ||
      (isShown && /^(?:Conditional|Logical)Expression$/.test(node.type)) ||
      (node.type === 'CallExpression' && node.callee.name === EMPHASIS) ||
      (node.type === 'Property' && SHOWN_PROPERTIES.test(node.key.name ?? ''));
    for (const [key, child] of Object.entries(node)) {
      // A string in the condition of `?:` is a name.
      const isShownChild = shows && key !== 'test';
      if (Array.isArray(child)) child.forEach((part) => walk(part, isShownChild && isText(part)));
      else walk(child, isShownChild && isText(child));
    }
  }

  /**
   * Whether an expression is a string, or a choice between expressions that may be strings.
   *
   * @param {any} node
   */
  function isText(node) {
    return ['ConditionalExpression', 'Literal', 'LogicalExpression', 'TemplateLiteral'].includes(node?.type);
  }

  /**
   * Adds a string to the texts, unless it is code or, if it is not surely shown, less than two words.
   *
   * @param {{ readonly type: string, readonly start: number }} node
   * @param {string} raw
   * @param {boolean} isShown
   * @returns {boolean} whether it was added
   */
  function add(node, raw, isShown) {
    if (node.type !== 'JSXText' && PROGRAM.test(raw)) return false;
    const text = raw.replaceAll(MARKUP, ' ').replaceAll(/\s+/g, ' ').trim();
    if (!/[A-Za-z]{2}/.test(text) || CODE.test(text)) return false;
    if (!isShown && !/[A-Za-z]{2}\S* \S*[A-Za-z]|[A-Za-z] \S*[A-Za-z]{2}/.test(text)) return false;
    texts.push({ at: `${path}:${source.slice(0, node.start).split('\n').length}`, text });
    return true;
  }
}

/**
 * The plain parts of a template.
 *
 * @param {any} template
 * @returns {string[]}
 */
const quasisOf = (template) => template.quasis.map((/** @type {any} */ quasi) => quasi.value.cooked ?? '');

/**
 * The lines of a lesson or of the glossary that are shown, without addresses.
 *
 * @param {string} path
 * @param {string} markdown
 * @returns {VisibleText[]}
 */
export function textsOfLesson(path, markdown) {
  return markdown.split('\n').flatMap((line, i) => {
    if (/^(?:@|---|also:|matrix:|minutes:)/.test(line)) return [];
    const text = line
      .replaceAll(/\]\([^)]*\)/g, ']')
      .replaceAll(/\s+/g, ' ')
      .trim();
    return /[A-Za-z]{2}/.test(text) ? [{ at: `${path}:${i + 1}`, text }] : [];
  });
}

/**
 * Words of a text; computed parts do not count.
 *
 * @param {string} text
 * @returns {number}
 */
export function wordCount(text) {
  return text.split(/[\s…]+/).filter((word) => /[A-Za-z]/.test(word)).length;
}

/**
 * Every text of the page, in the order of the files.
 *
 * @param {readonly string[]} paths of files or folders
 * @param {string} [root]
 * @returns {VisibleText[]}
 */
export function pageTexts(paths, root = ROOT) {
  return execFileSync('git', ['ls-files', ...paths], { cwd: root })
    .toString()
    .split('\n')
    .filter((path) => /^(?:src|labs)\/.*\.(?:tsx?|md)$/.test(path) && !UNSHOWN.test(path))
    .flatMap((path) => {
      const source = readFileSync(join(root, path), 'utf8');
      return path.endsWith('.md') ? textsOfLesson(path, source) : textsOfSource(path, source);
    });
}

if (process.argv[1] === import.meta.filename) {
  const paths = process.argv.slice(2);
  const texts = pageTexts(paths.length > 0 ? paths : ['src', 'labs']);
  if (texts.length === 0) {
    console.error(`page-words: found no text in ${paths.join(', ')}, expected sources of the page`);
    process.exit(2);
  }
  for (const { at, text } of texts.toSorted((a, b) => wordCount(b.text) - wordCount(a.text)))
    console.log(`${wordCount(text)}\t${at}\t${text}`);
  console.log(`${texts.reduce((sum, { text }) => sum + wordCount(text), 0)}\tin all, in ${texts.length} texts`);
}
