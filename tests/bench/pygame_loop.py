# SPDX-License-Identifier: MIT
"""pygame_loop.py FRAMES: a pygame loop of so many frames without a pause: events, 100 sprites that
move, ten lines of text rendered anew in each. Run with PYTHONMALLOC=malloc, each small object is an
allocation. Tells frames, seconds and the processor's seconds as frames.c does."""

import random
import sys
import time

import pygame


class Sprite(pygame.sprite.Sprite):
    def __init__(self, image):
        super().__init__()
        self.image = image
        self.rect = image.get_rect(x=random.randrange(600), y=random.randrange(440))
        self.speed = [random.choice((-3, 2, 4)), random.choice((-2, 3))]

    def update(self):
        self.rect.move_ip(*self.speed)
        if not 0 <= self.rect.x < 616:
            self.speed[0] *= -1
        if not 0 <= self.rect.y < 456:
            self.speed[1] *= -1


def draw(screen, font, sprites, number):
    for event in pygame.event.get():
        if event.type == pygame.QUIT:
            sys.exit(1)
    screen.fill((0, 0, 0))
    sprites.update()
    sprites.draw(screen)
    for line in range(10):
        text = f"frame {number} line {line} {random.random():.6f}"
        screen.blit(font.render(text, True, (255, 255, 255)), (10, 20 * line))
    pygame.display.flip()


def main():
    frames = int(sys.argv[1])
    random.seed(1)
    pygame.init()
    screen = pygame.display.set_mode((640, 480))
    font = pygame.font.Font(None, 24)
    image = pygame.Surface((24, 24)).convert_alpha()
    image.fill((200, 80, 40, 200))
    sprites = pygame.sprite.Group(*[Sprite(image) for _ in range(100)])
    begin, cpu_begin = time.perf_counter(), time.process_time()
    for number in range(frames):
        draw(screen, font, sprites, number)
    print("result frames", frames)
    print("result seconds", time.perf_counter() - begin)
    print("result cpu_seconds", time.process_time() - cpu_begin)


main()
