import { useEffect, useState } from 'react';
import { GALLERY_PICTURES_PATH, type GalleryPicture, parsePictures } from '../../io/gallery-pictures.ts';

/** The pictures of all entries, loaded when the gallery is first shown; empty if they cannot be loaded. */
export function usePictures(): ReadonlyMap<string, GalleryPicture> {
  const [pictures, setPictures] = useState<ReadonlyMap<string, GalleryPicture>>(new Map());
  useEffect(() => {
    const leave = new AbortController();
    fetch(new URL(GALLERY_PICTURES_PATH, document.baseURI), { signal: leave.signal })
      .then(async (response) => {
        if (response.ok) setPictures(parsePictures(await response.json()));
      })
      // The words say what the pictures show.
      .catch(() => {});
    return () => leave.abort();
  }, []);
  return pictures;
}
