/** The keyboard: single keys when nothing is being typed, and Esc always. */
import { useEffect } from "react";
import * as z from "zod";
import "../api/maybe";
import { Problem } from "../api/problem";
import { toggle } from "../chat/sidebar";
import { toBin } from "../feed/bin";
import { feed } from "../feed/feed";
import { undo, undoLast } from "../parts/undo";
import { HOME, to } from "../route/address";
import { back, go, here } from "../route/here";
import { keep, shelf, take } from "../state/kept";
import { signal } from "../state/signal";

const NAME = "memex.keys";
export const help = signal(false);
/** Single keys can be switched off: with speech input they fire by accident. */
export const singleKeys = signal(
  typeof window === "undefined" ? true : (take(shelf(), NAME, z.boolean()) ?? true),
);

export function setSingleKeys(on: boolean): void {
  singleKeys.set(on);
  keep(shelf(), NAME, on);
}

function typing(target: EventTarget | null): target is HTMLElement {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement) return !["checkbox", "radio", "button"].includes(target.type);
  return target.isContentEditable || ["TEXTAREA", "SELECT"].includes(target.tagName);
}

const rows = () => [...document.querySelectorAll<HTMLElement>("[data-row]")];
const boxes = () =>
  [...document.querySelectorAll<HTMLElement>("[data-task]")].filter((box) => box.checkVisibility());

function move(step: 1 | -1): void {
  const { room } = here.get();
  const all = room.at === "tasks" ? boxes() : rows();
  const focused = all.findIndex((row) => row === document.activeElement);
  const open = room.at === "note" ? all.findIndex((row) => row.dataset["row"] === room.id) : -1;
  const from = focused >= 0 ? focused : open;
  const next = from < 0 ? 0 : Math.min(all.length - 1, Math.max(0, from + step));
  all[next]?.focus();
}

export function focusCapture(): void {
  const box = document.querySelector<HTMLElement>("[data-capture]");
  if (box) box.focus();
  else go(to({ at: "capture" }, here.get()));
}

function escape(target: EventTarget | null): void {
  if (typing(target)) {
    target.blur();
    return;
  }
  const now = here.get();
  if (now.cite !== null) {
    document.querySelector<HTMLElement>(".source button")?.click();
    return;
  }
  if (now.room.at === "notes") {
    if (now.q !== "" || now.kind !== null || now.bin) go(HOME);
    return;
  }
  back({ ...HOME, q: now.q, kind: now.kind, bin: now.bin });
}

/** Letters at a question of the agent are words to it: they go where one writes, and set nothing off. */
function answered({ target, key }: KeyboardEvent): boolean {
  if (!(target instanceof Element) || !target.closest(".approval") || !/^\p{L}$/u.test(key)) return false;
  document.querySelector<HTMLElement>("[data-message]")?.focus();
  return true;
}

/** Ctrl+Enter in a text of several lines is its form's button, wherever no form has its own use for it. */
function submit(event: KeyboardEvent): void {
  if (!(event.target instanceof HTMLTextAreaElement)) return;
  const button = event.target.form?.querySelector<HTMLButtonElement>("button[type=submit]");
  if (!button) return;
  event.preventDefault();
  button.click();
}

function remove(): void {
  const { room } = here.get();
  const focused =
    document.activeElement instanceof HTMLElement ? document.activeElement.dataset["row"] : undefined;
  const id = focused ?? (room.at === "note" ? room.id : undefined);
  const note = feed.get().notes.find((one) => one.id === id);
  if (!note || note.deleted_at !== null) return;
  if (focused !== undefined) move(rows().at(-1)?.dataset["row"] === focused ? -1 : 1);
  const away = () =>
    toBin(note).catch((error: unknown) => {
      feed.look();
      undo.set({ what: "", act: away, problem: Problem.from(error), done: "" });
    });
  void away();
}

function press(key: string): boolean {
  switch (key) {
    case "c":
      focusCapture();
      return true;
    case "/": {
      const box = document.querySelector<HTMLInputElement>("[data-search]");
      if (box?.checkVisibility({ visibilityProperty: true })) box.select();
      else {
        go(HOME);
        setTimeout(() => document.querySelector<HTMLInputElement>("[data-search]")?.select());
      }
      return true;
    }
    case "j":
      move(1);
      return true;
    case "k":
      move(-1);
      return true;
    case "n":
      go(HOME);
      return true;
    case "o":
      go(to({ at: "operations" }, here.get()));
      return true;
    case "t":
      go(to({ at: "tasks" }, here.get()));
      return true;
    case "p":
      go(to({ at: "approvals", id: null }, here.get()));
      return true;
    case "s":
      toggle();
      return true;
    case "m":
      document.querySelector<HTMLElement>("[data-message]")?.focus();
      return true;
    case ",":
      go(to({ at: "settings" }, here.get()));
      return true;
    case "a":
      document.querySelector<HTMLElement>("[data-new-task]")?.focus();
      return true;
    case "e":
      document.querySelector<HTMLElement>("[data-edit]")?.click();
      return true;
    case "z":
      void undoLast();
      return true;
    case "Delete":
      remove();
      return true;
    case "?":
      help.set(true);
      return true;
    default:
      return false;
  }
}

export function useKeys(): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing || help.get()) return;
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) submit(event);
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === "Escape") {
        escape(event.target);
        return;
      }
      if (typing(event.target) || answered(event)) return;
      if (!singleKeys.get()) return;
      if (press(event.key)) event.preventDefault();
    };
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, []);
}
